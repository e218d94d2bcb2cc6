internal import PosternBase
internal import PosternHTTP

/// Why a fetch has brought no usable key set.
public struct KeySetFailure: Error, Sendable, Equatable {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable word, such as `bad_status`; those of `HTTP.ClientError.Code` come through as they are.
        public let rawValue: String

        init(_ rawValue: String) { self.rawValue = rawValue }

        /// The stable word.
        public var description: String { rawValue }

        /// A status other than 200, or 304 to a question that allowed it.
        public static let badStatus = Code("bad_status")
        /// A redirect; none is followed.
        public static let redirected = Code("redirected")
        /// Larger than 256 KiB.
        public static let tooLarge = Code(HTTP.ClientError.Code.tooLarge.rawValue)
        /// The client did not end in time.
        public static let timedOut = Code(HTTP.ClientError.Code.timedOut.rawValue)
        /// The URL is none that may be asked.
        public static let urlRefused = Code(HTTP.ClientError.Code.urlRefused.rawValue)
        /// No connection: the name is unknown, the port closed, the network away.
        public static let notConnected = Code(HTTP.ClientError.Code.notConnected.rawValue)
        /// The certificate or the host name in it was not accepted, or TLS failed.
        public static let notTrusted = Code(HTTP.ClientError.Code.notTrusted.rawValue)
        /// The answer is not well-formed HTTP, or ended early.
        public static let malformed = Code(HTTP.ClientError.Code.malformed.rawValue)
        /// The fetch was cancelled.
        public static let cancelled = Code(HTTP.ClientError.Code.cancelled.rawValue)
        /// The client itself failed: no memory, no thread, no library.
        public static let failed = Code(HTTP.ClientError.Code.failed.rawValue)
        /// The body is no JWK Set, such as a page of HTML.
        public static let notAKeySet = Code("not_a_key_set")
        /// The set has no key that can verify a signature.
        public static let noUsableKey = Code("no_usable_key")
        /// The discovery document is not one, is of another issuer or names no key set that may be asked.
        public static let badDiscovery = Code("bad_discovery")

        /// Every code, in no particular order.
        package static let all = [
            badStatus, redirected, tooLarge, timedOut, urlRefused, notConnected, notTrusted, malformed, cancelled,
            failed,
            notAKeySet, noUsableKey, badDiscovery,
        ]
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in English; never holds a body.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: HTTP.ClientError) {
        self.init(Code(error.code.rawValue), Excerpt.plain(error.message, maximumCount: 300))
    }
}
