internal import Glibc
package import PosternHTTP

/// Reads the requests of one connection (RFC 9112) from bytes as they come. It does no I/O and knows no time.
///
/// What it says depends on the bytes alone, not on how they are cut into pieces: a rule is applied when a line is complete,
/// and a size is refused at the first byte that is too many.
package struct RequestReader: Sendable {
    /// What has been read.
    package enum Step: Sendable {
        /// All of the input is read, and nothing is complete.
        case needsMore
        /// A head is complete whose body has not come whole: the time to say what its head alone decides (`head`), to
        /// tell a client that waits to go on, or to throw the body away (`discardBody`).
        case head
        /// A request is complete and waits to be taken.
        case request
        /// Nothing can be read from this connection any more.
        case refused(RequestRefusal)
    }

    /// Where the reader stands.
    package enum Phase: Sendable, Equatable {
        /// Between requests.
        case idle
        case head
        case body
        /// In a body that is thrown away.
        case discarding
        case refused
    }

    enum Stage {
        case head
        case body(left: Int)
        case chunkSize
        case chunkData(left: Int)
        case chunkEnd
        case trailers
        case discard(left: Int)
        case refused(RequestRefusal)
    }

    /// Whose requests it reads, and from which listener: said along with each.
    package struct Sender: Sendable {
        let peer: Peer
        let listener: Int

        package init(_ peer: Peer, listener: Int) {
            self.peer = peer
            self.listener = listener
        }

        /// For who does not ask.
        package static let nobody = Sender(.process(user: 0, group: 0, process: 0), listener: 0)
    }

    let limits: ServerLimits
    let sender: Sender
    let disabled: DisabledRules
    var stage = Stage.head
    /// The head or the line that is not complete yet.
    var pending: [UInt8] = []
    /// Where in the head the next line begins.
    var lineStart = 0
    /// Where in the head the fields begin; zero while the request line has not come.
    var fieldStart = 0
    var emptyLines = 0
    var head = RequestHead()
    /// The bytes of a complete head.
    var headBytes: [UInt8] = []
    var body: [UInt8] = []
    var extensionBytes = 0
    var trailerBytes = 0
    var trailerCount = 0
    private var complete: ReadRequest?

    /// The longest line of a chunk's size, its extensions included.
    static let chunkLineBytes = 256
    static let longestMethod = 32

    package init(_ limits: ServerLimits, from sender: Sender = .nobody, testOnlyDisabled: [RequestRefusal] = []) {
        self.limits = limits
        self.sender = sender
        disabled = DisabledRules(testOnlyDisabled)
    }

    package var phase: Phase {
        switch stage {
        case .head: pending.isEmpty ? .idle : .head
        case .discard: .discarding
        case .refused: .refused
        default: .body
        }
    }

    /// Reads from `offset` on and moves it behind what was read, until something is complete or the input ends.
    package mutating func read(_ input: borrowing Span<UInt8>, _ offset: inout Int) -> Step {
        while true {
            let step: Step?
            switch stage {
            case .head: step = takeHead(input, &offset)
            case .body(let left): step = readBody(input, &offset, left)
            case .chunkSize: step = readChunkSize(input, &offset)
            case .chunkData(let left): step = readChunk(input, &offset, left)
            case .chunkEnd: step = readChunkEnd(input, &offset)
            case .trailers: step = readTrailer(input, &offset)
            case .discard(let left): step = skipBody(input, &offset, left)
            case .refused(let reason): step = .refused(reason)
            }
            if let step { return step }
        }
    }

    /// Whether the method of the request that is being read, or was refused, is HEAD.
    package var isHead: Bool { head.isHead }

    /// Bytes that are kept of a request that has not come whole.
    var heldBytes: (head: Int, body: Int) {
        phase == .body ? (headBytes.count, pending.count + body.count) : (headBytes.count + pending.count, 0)
    }

    mutating func refuse(_ reason: RequestRefusal) -> Step {
        stage = .refused(reason)
        pending = []
        body = []
        return .refused(reason)
    }

    /// Throws when the rule is broken and not left out.
    @inline(__always)
    func require(_ holds: Bool, _ rule: RequestRefusal) throws(RequestRefusal) {
        if !holds { try disabled.broken(rule) }
    }

    /// The request that `read` has told of; once.
    package mutating func takeRequest() -> ReadRequest? { exchange(&complete, with: nil) }

    /// Keeps the request to be taken and gets ready for the next.
    mutating func finish() -> Step {
        // Handed over and not copied: each copy is counted.
        let bytes = exchange(&headBytes, with: [])
        let lines = exchange(&head.lines, with: [])
        let body = exchange(&self.body, with: [])
        let read = head.read(ReceivedFields(bytes, lines), bytes, hasBody: !body.isEmpty, from: sender)
        complete = ReadRequest(
            received: ReceivedRequest(head: read.received, body: body),
            keepsAlive: read.keepsAlive,
            isHead: head.isHead
        )
        reset()
        return .request
    }

    /// Ready for the next request.
    mutating func reset() {
        stage = .head
        (lineStart, fieldStart, emptyLines) = (0, 0, 0)
        head = RequestHead()
        headBytes = []
        body = []
    }
}

extension Span<UInt8> {
    /// The place of the next line feed at or after `start`.
    func nextLineFeed(from start: Int) -> Int? {
        withUnsafeBufferPointer { buffer in
            guard start < buffer.count, let base = buffer.baseAddress,
                let found = memchr(base + start, 0x0A, buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    /// No control byte but tabs. Every byte is looked at, so that several can be looked at together.
    func isClean(_ range: Range<Int>) -> Bool {
        withUnsafeBufferPointer { buffer in
            var dirt: UInt8 = 0
            for byte in UnsafeBufferPointer(rebasing: buffer[range]) {
                dirt |= (byte < 0x20 ? 1 : 0) ^ (byte == 0x09 ? 1 : 0) | (byte == 0x7F ? 1 : 0)
            }
            return dirt == 0
        }
    }

    /// A copy of some of the bytes.
    func copy(_ range: Range<Int>) -> [UInt8] {
        withUnsafeBufferPointer { Array($0[range]) }
    }
}
