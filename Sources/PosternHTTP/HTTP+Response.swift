extension HTTP {
    /// What a server answered, as it came: no status is an error here.
    public struct Response: Sendable, Equatable {
        /// The status code (RFC 9110 §15), 100 to 599.
        public let status: Int
        /// The header fields of the final answer.
        public let fields: HTTP.Fields
        /// The whole body, decoded from its transfer coding.
        public let body: [UInt8]

        /// An answer.
        public init(status: Int, fields: HTTP.Fields = HTTP.Fields(), body: [UInt8] = []) {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }
}
