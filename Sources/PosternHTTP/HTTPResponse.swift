/// What a server answered, as it came: no status is an error here.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code (RFC 9110 §15), 100 to 599.
    public let status: Int
    /// The header fields of the final answer.
    public let fields: HTTPFields
    /// The whole body, decoded from its transfer coding.
    public let body: [UInt8]

    /// An answer.
    public init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
