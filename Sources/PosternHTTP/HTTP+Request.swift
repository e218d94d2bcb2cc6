extension HTTP {
    /// What to ask a server for.
    public struct Request: Sendable, Equatable {
        /// What is to be done with the resource (RFC 9110 §9).
        public enum Method: String, Sendable {
            /// The resource as it is (RFC 9110 §9.3.1).
            case get = "GET"
            /// The resource is to process the body (RFC 9110 §9.3.3).
            case post = "POST"
        }

        /// What is to be done.
        public var method: Method
        /// The absolute URL.
        public var url: String
        /// Header fields besides those that the client sets itself (`Host`, `Content-Length`).
        public var fields: HTTP.Fields
        /// The body as it goes out; empty for none.
        public var body: [UInt8]

        /// A request for `url`.
        public init(_ method: Method = .get, _ url: String, fields: HTTP.Fields = HTTP.Fields(), body: [UInt8] = []) {
            self.method = method
            self.url = url
            self.fields = fields
            self.body = body
        }
    }
}
