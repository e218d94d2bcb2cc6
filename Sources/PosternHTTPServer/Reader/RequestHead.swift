package import PosternHTTP

/// What the lines before the body say, as far as they have come. Places count from the first byte of the head.
struct RequestHead {
    var method = 0..<0
    var isHead = false
    var path = 0..<0
    var query: Range<Int>?
    /// The host that an absolute target names.
    var authority: Range<Int>?
    var isOldVersion = false
    var lines: [ReceivedFields.Line] = []

    var host: Range<Int>?
    var hostCount = 0
    var lengthCount = 0
    var length: Int?
    var codingCount = 0
    var isChunked = false
    var closes = false
    var expectsContinue = false
}

/// A request that was read whole.
package struct ReadRequest: Sendable {
    package let method: String
    package let path: String
    package let query: String?
    package let fields: ReceivedFields
    package let body: [UInt8]
    /// The client wants another answer on this connection (RFC 9112 §9.3).
    package let keepsAlive: Bool

    /// `OPTIONS *`, which is about the server and no path (RFC 9110 §9.3.7).
    package var isAboutServer: Bool { path == "*" }
}
