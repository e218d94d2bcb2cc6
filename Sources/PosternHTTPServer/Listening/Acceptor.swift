internal import Glibc
internal import PosternHTTP
internal import PosternLoop

/// Takes the connections of one listening socket and gives them to the workers in turn. On the first loop's thread only.
final class Acceptor: LoopSource, @unchecked Sendable {
    // @unchecked: handed to its loop once, and used there alone.

    private let socket: ListeningSocket
    private let index: Int
    private let loop: EventLoop
    private let workers: [Worker]
    private let gate: ConnectionGate
    private let reporter: TroubleReporter
    private let responder: any HTTPResponder
    private var date = DateLine()
    private var token: LoopToken?
    private var next = 0
    /// Given up for a moment when there are no descriptors, so that who waits can be told instead of spinning.
    private var reserve: Int32

    /// Connections taken before others have their turn.
    private static let inTurn = 64
    /// How long to wait when the system has nothing to give.
    private static let pause = Duration.milliseconds(100)

    init(
        _ socket: ListeningSocket,
        at index: Int,
        _ workers: [Worker],
        _ reporter: TroubleReporter,
        _ loop: EventLoop
    ) {
        self.socket = socket
        self.index = index
        self.loop = loop
        self.workers = workers
        self.reporter = reporter
        gate = workers[0].gate
        responder = workers[0].responder
        reserve = Acceptor.openReserve()
    }

    deinit { if reserve >= 0 { close(reserve) } }

    /// To be called before the loop runs.
    func begin() throws(LoopError) {
        token = try loop.add(socket.descriptor, .readable, self)
    }

    /// Takes who is waiting, then closes and tidies up. The file goes first, so that nobody comes after the last was taken.
    func end() {
        socket.hide()
        // No more than can have been waiting: somebody who connects all the time does not hold up the end.
        var left = 2 * Int(ListeningSocket.backlog)
        while left > 0, acceptOne() { left -= 1 }
        if let token { loop.remove(token) }
        token = nil
        socket.stop()
    }

    func ready(_ events: LoopEvents) {
        var left = Acceptor.inTurn
        while left > 0, acceptOne() { left -= 1 }
    }

    /// The pause is over.
    func timeIsUp() {
        if reserve < 0 { reserve = Acceptor.openReserve() }
        if let token { loop.change(token, .readable) }
    }

    /// True when there may be more.
    private func acceptOne() -> Bool {
        let (descriptor, address) = SocketCall.accept(socket.descriptor)
        guard descriptor >= 0 else { return shouldGoOn(after: errno) }
        guard let peer = peer(descriptor, address) else {
            close(descriptor)
            return true
        }
        if let answer = responder.answer(to: peer, listener: index) {
            turnAway(descriptor, peer, answer)
            return true
        }
        guard let place = gate.enter(peer, listener: index) else {
            workers[0].count(index) { $0.refused += 1 }
            reporter.note(.tooManyConnections, listener: index)
            dismiss(descriptor, tooMany())
            return true
        }
        if address != nil {
            // Answers are written whole; waiting for more would only delay them.
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        workers[next].adopt(descriptor, peer, place)
        next = (next + 1) % workers.count
        return true
    }

    /// Of a peer that may not come in nothing is read as a request. It gets its answer, and a moment to take it.
    private func turnAway(_ descriptor: Int32, _ peer: Peer, _ answer: HTTP.Response) {
        workers[0].count(index) { $0.refusedPeers += 1 }
        reporter.note(.peerNotAllowed, listener: index)
        guard let place = gate.enterToBeTurnedAway(listener: index) else { return dismiss(descriptor, answer) }
        workers[next].adopt(descriptor, peer, place, answer: answer)
        next = (next + 1) % workers.count
    }

    private func peer(_ descriptor: Int32, _ address: (text: String, port: UInt16)?) -> Peer? {
        if let address { return .address(address.text, port: address.port) }
        guard socket.isLocal, let found = SocketCall.peerCredentials(descriptor) else { return nil }
        return .process(user: found.user, group: found.group, process: found.process)
    }

    private func shouldGoOn(after number: Int32) -> Bool {
        switch number {
        case EAGAIN: return false
        // It was of the connection, which has gone before it was taken (accept(2)).
        case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
            ENETUNREACH:
            return true
        default:
            workers[0].count(index) { $0.acceptFailures += 1 }
            reporter.note(.acceptFailed(number), listener: index)
            return useReserve()
        }
    }

    /// Takes one connection with the descriptor in reserve and turns it away. False when that does not work either: then the
    /// socket is left alone for a while, since it would be ready all the time.
    private func useReserve() -> Bool {
        if reserve >= 0 {
            close(reserve)
            let (descriptor, _) = SocketCall.accept(socket.descriptor)
            if descriptor >= 0 { dismiss(descriptor, tooMany()) }
            reserve = Acceptor.openReserve()
            if descriptor >= 0, reserve >= 0 { return true }
        }
        if let token {
            loop.change(token, [])
            loop.setDeadline(token, loop.now.advanced(by: Acceptor.pause))
        }
        return false
    }

    private static func openReserve() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

    private func tooMany() -> HTTP.Response {
        responder.answer(RequestRefusal.tooManyConnections.notice(workers[0].limits), to: ReceivedFields())
    }

    /// Gives an answer and closes, without waiting for anything.
    private func dismiss(_ descriptor: Int32, _ answer: HTTP.Response) {
        var bytes: [UInt8] = []
        ResponseWriter.append(answer, isHead: false, closes: true, date: date.current(), to: &bytes)
        bytes.withUnsafeBufferPointer { bytes in
            _ = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        shutdown(descriptor, Int32(SHUT_WR))
        // With something unread the answer would be thrown away with the connection.
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
            _ = read(descriptor, buffer.baseAddress, buffer.count)
        }
        close(descriptor)
    }
}
