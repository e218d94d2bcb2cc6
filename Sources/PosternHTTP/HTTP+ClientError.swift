extension HTTP {
    /// Why no whole answer came.
    public struct ClientError: Error, Sendable, Equatable {
        /// The kind of failure.
        public struct Code: Sendable, Hashable, CustomStringConvertible {
            /// The stable word, such as `timed_out`.
            public let rawValue: String

            private init(_ rawValue: String) { self.rawValue = rawValue }

            /// The stable word.
            public var description: String { rawValue }

            /// The URL is not one that the client may ask.
            public static let urlRefused = Code("url_refused")
            /// No connection: the name is unknown, the port closed, the network away.
            public static let notConnected = Code("not_connected")
            /// The certificate or the host name in it was not accepted, or TLS failed.
            public static let notTrusted = Code("not_trusted")
            /// It took longer than the client waits.
            public static let timedOut = Code("timed_out")
            /// The answer is larger than the client reads.
            public static let tooLarge = Code("too_large")
            /// The answer is not well-formed HTTP, or ended early.
            public static let malformed = Code("malformed")
            /// The task that asked was cancelled.
            public static let cancelled = Code("cancelled")
            /// The client itself failed: no memory, no thread, no library.
            public static let failed = Code("failed")
        }

        /// The kind of failure.
        public let code: Code
        /// What happened, in English; never holds a body or a header field.
        public let message: String

        /// A failure.
        public init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }
    }
}
