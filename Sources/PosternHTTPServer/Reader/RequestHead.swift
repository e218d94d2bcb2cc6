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

/// The head of a request that was read.
package struct ReadHead: Sendable {
    package let method: String
    package let path: String
    package let query: String?
    package let fields: ReceivedFields
    /// Of a known length that is not zero.
    package let hasBody: Bool
    /// The client wants another answer on this connection (RFC 9112 §9.3).
    package let keepsAlive: Bool
    /// The client waits for `100 Continue` before it sends the body.
    package let expectsContinue: Bool

    /// `OPTIONS *`, which is about the server and no path (RFC 9110 §9.3.7).
    package var isAboutServer: Bool { path == "*" }
}

/// A request that was read whole.
package struct ReadRequest: Sendable {
    package let head: ReadHead
    package let body: [UInt8]

    package var method: String { head.method }
    package var path: String { head.path }
    package var query: String? { head.query }
    package var fields: ReceivedFields { head.fields }
    package var keepsAlive: Bool { head.keepsAlive }
}

extension RequestReader {
    /// The head that is complete, as values of their own.
    package var readHead: ReadHead {
        let (method, path, query) = headBytes.withUnsafeBufferPointer { bytes in
            let text = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
            return (text(head.method), text(head.path), head.query.map(text))
        }
        return ReadHead(
            method: method,
            path: path,
            query: query,
            fields: ReceivedFields(headBytes, head.lines),
            hasBody: head.length.map { $0 > 0 } ?? false,
            keepsAlive: !head.closes && !head.isOldVersion,
            expectsContinue: head.expectsContinue
        )
    }

    /// The fields of a head that came whole and was refused, or whose body was; else none.
    var refusedFields: ReceivedFields {
        headBytes.isEmpty ? ReceivedFields() : ReceivedFields(headBytes, head.lines)
    }

    /// Throws away the body that `Step.head` told of; false, and nothing changes, where it is longer than `most`, its length
    /// is not known, or the client may never send it.
    package mutating func discardBody(upTo most: Int) -> Bool {
        guard case .body(let left) = stage, left <= most, !head.expectsContinue else { return false }
        stage = .discard(left: left)
        letGo()
        return true
    }

    /// Keeps nothing any more; only who asked is still known.
    mutating func letGo() {
        pending = []
        body = []
        headBytes = []
        head.lines = []
    }

    mutating func skipBody(_ input: borrowing Span<UInt8>, _ offset: inout Int, _ left: Int) -> Step? {
        let count = min(left, input.count - offset)
        offset += count
        guard count == left else {
            stage = .discard(left: left - count)
            return .needsMore
        }
        reset()
        return nil
    }
}
