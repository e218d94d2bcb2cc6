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

    /// The head as values of their own, whose bytes these are.
    func read(
        _ fields: ReceivedFields,
        _ bytes: [UInt8],
        hasBody: Bool,
        from sender: RequestReader.Sender
    ) -> ReadHead {
        func text(_ range: Range<Int>) -> String {
            bytes.withUnsafeBufferPointer {
                String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
            }
        }
        return ReadHead(
            received: ReceivedHead(
                method: text(method),
                path: text(path),
                query: query.map(text),
                fields: fields,
                hasBody: hasBody,
                peer: sender.peer,
                listener: sender.listener
            ),
            keepsAlive: !closes && !isOldVersion,
            expectsContinue: expectsContinue
        )
    }
}

/// The head of a request that was read.
package struct ReadHead: Sendable {
    /// What a responder is told.
    package let received: ReceivedHead
    /// The client wants another answer on this connection (RFC 9112 §9.3).
    package let keepsAlive: Bool
    /// The client waits for `100 Continue` before it sends the body.
    package let expectsContinue: Bool
}

/// A request that was read whole.
package struct ReadRequest: Sendable {
    package let received: ReceivedRequest
    package let keepsAlive: Bool
    /// Asked with HEAD: the answer has no body.
    let isHead: Bool

    package var method: String { received.method }
    package var path: String { received.path }
    package var query: String? { received.query }
    package var fields: ReceivedFields { received.fields }
    package var body: [UInt8] { received.body }
}

extension ReceivedHead {
    /// `OPTIONS *`, which is about the server and no path (RFC 9110 §9.3.7).
    var isAboutServer: Bool { path == "*" }
}

extension RequestReader {
    /// The head that is complete, as values of their own.
    package var readHead: ReadHead {
        // In chunks nobody knows before they have come.
        let hasBody = head.length.map { $0 > 0 } ?? false
        return head.read(ReceivedFields(headBytes, head.lines), headBytes, hasBody: hasBody, from: sender)
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
