internal import Glibc
internal import PosternHTTP
internal import PosternLoop

/// One connection: reads requests, has them answered one after the other, writes the answers. On its loop's thread only.
///
/// While it is idle it holds no buffer: it reads into its worker's and keeps only what it could not use.
final class Connection: LoopSource, @unchecked Sendable {
    // @unchecked: the task of a handler carries it, and runs on the loop's thread too.

    enum Mode {
        /// Reads requests.
        case open
        /// A request is with the responder; nothing is read meanwhile, so the other side is held back.
        case answering
        /// The last answer is on its way.
        case finishing
        /// All is said; what still comes is thrown away, so that the answer is not lost with the connection.
        case lingering
        case closed
    }

    /// What the deadline that is set is for.
    enum Timer {
        case none, first, idle, head, body, write, linger
    }

    static let idleEvents: LoopEvents = [.readable, .readEnd, .once]
    /// Requests answered in one turn before others have theirs.
    static let requestsInTurn = 32
    /// Bytes of a body that are read and thrown away so that the connection may go on after an early answer.
    static let discardedBytes = 65_536
    /// Bodies up to so many bytes go out together with what stands before them, others as they are.
    static let copiedBody = 16_384
    /// Bytes that are read in a turn instead of a request.
    static let bytesInsteadOfRequest = 8_192

    let worker: Worker
    let descriptor: Int32
    let peer: Peer
    let place: ConnectionGate.Place
    var listener: Int { place.listener }
    var token: LoopToken?
    // No access to these lasts while another begins; to check that at run time costs more than what they do.
    @exclusivity(unchecked)
    var mode = Mode.open
    @exclusivity(unchecked)
    var reader: RequestReader
    var timer = Timer.none
    /// A request was completed since the deadline was set.
    var hasProgressed = false
    /// There may be something to read: told by the loop and not yet disproved.
    var mayRead = false
    /// The other side has said that it sends no more; the end itself is found by reading.
    var endIsNear = false
    /// Read, but not used yet.
    @exclusivity(unchecked)
    var backlog: [UInt8] = []
    var backlogStart = 0
    /// Answers that the other side has not taken yet.
    @exclusivity(unchecked)
    var unsent: [UInt8] = []
    var unsentStart = 0
    var lingeredBytes = 0
    /// What is counted of us in the worker's buffers.
    private var held = RequestBuffers.Amount.zero
    /// The handler, once it has suspended.
    var handler: Task<Void, Never>?
    var current: (isHead: Bool, closes: Bool) = (false, false)
    /// Inside `turn`, which goes on by itself when an answer is ready.
    var isInTurn = false
    /// The loop tells what has happened to descriptors, and tells us when it is through.
    var isInEvents = false
    var requestsLeft = 0

    init(_ worker: Worker, _ descriptor: Int32, _ peer: Peer, _ place: ConnectionGate.Place) {
        self.worker = worker
        self.descriptor = descriptor
        self.peer = peer
        self.place = place
        reader = RequestReader(worker.limits, from: .init(peer, listener: place.listener))
    }

    /// The loop watches it now. With an answer nothing is read as a request: it is given, and the connection ends.
    func begin(_ token: LoopToken, _ answer: HTTP.Response?) {
        self.token = token
        set(.first)
        if let answer {
            say(answer, isHead: false)
            flush()
            return updateDeadline()
        }
        if worker.isDraining { drain() }
    }

    func ready(_ events: LoopEvents) {
        guard mode != .closed else { return }
        let isOver = events.contains(.hangUp) || events.contains(.failure)
        // When both sides have stopped sending there may still be something to read; what is left unread when a socket is
        // closed takes the answer back.
        if isOver, mode != .lingering { return close() }
        if isOver || events.contains(.readable) || events.contains(.readEnd) { mayRead = true }
        if events.contains(.readEnd) { endIsNear = true }
        if events.contains(.writable) { writeMore() }
        isInEvents = !events.isEmpty
        turn()
        isInEvents = false
    }

    func timeIsUp() {
        switch timer {
        case .first, .head:
            if reader.phase == .idle { return close() }
            giveUp(.headerTimeout)
        case .body: reader.phase == .discarding ? close() : giveUp(.bodyTimeout)
        case .idle:
            worker.count(listener) { $0.idleTimeouts += 1 }
            close()
        case .write:
            worker.count(listener) { $0.writeTimeouts += 1 }
            close()
        case .linger: close()
        case .none: break
        }
    }

    /// The server ends: without a request the connection does too. What has come already is a request.
    func drain() {
        guard mode == .open else { return }
        mayRead = true
        turn()
    }

    func close() {
        guard mode != .closed else { return }
        mode = .closed
        _ = hold(.zero)
        handler?.cancel()
        handler = nil
        guard let token else { return }
        worker.loop.remove(token)
        Glibc.close(descriptor)
        worker.forget(self, token)
    }

    // MARK: Buffers

    /// Counts what the reader keeps; false when that is more than there is room for.
    func holdWhatIsRead() -> Bool {
        let (head, body) = reader.heldBytes
        return holdRequest(head: head, body: body)
    }

    /// Counts what is kept of a request.
    func holdRequest(head: Int, body: Int) -> Bool { hold([head, body, held.z]) }

    /// Counts the answers that wait to be taken, and what was read behind them.
    func holdAnswers() -> Bool { hold([held.x, held.y, unsent.count + backlog.count]) }

    /// Counts so many bytes instead of those before. What is refused is not counted.
    private func hold(_ amount: RequestBuffers.Amount) -> Bool {
        guard amount != held, let key = place.key else { return true }
        guard worker.buffers.change(key, from: held, to: amount) else { return false }
        held = amount
        return true
    }

    // MARK: Deadlines

    func set(_ timer: Timer) {
        self.timer = timer
        hasProgressed = false
        guard let token else { return }
        let loop = worker.loop
        let spans = worker.spans
        let span: UInt64 =
            switch timer {
            case .none: .max
            case .first, .head: spans.header
            case .idle: spans.idle
            case .body: spans.body
            case .write: spans.write
            case .linger: worker.isDraining ? min(spans.linger, 1_000) : spans.linger
            }
        loop.setDeadline(token, span == .max ? .never : loop.now.advanced(byMilliseconds: span))
    }

    /// Sets the deadline of the phase that the turn has ended in; within a phase it stays where it was.
    func updateDeadline() {
        let wanted: Timer =
            switch mode {
            case .closed, .answering: .none
            case .lingering: .linger
            case .finishing: .write
            case .open where !unsent.isEmpty: .write
            case .open:
                switch reader.phase {
                case .body, .discarding: .body
                case .head: timer == .first && !hasProgressed ? .first : .head
                case .idle, .refused: timer == .first && !hasProgressed ? .first : .idle
                }
            }
        if mode != .closed, wanted != timer || hasProgressed { set(wanted) }
    }
}
