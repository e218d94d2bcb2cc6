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
    private var token: LoopToken?
    private var next = 0
    /// Given up for a moment when there are no descriptors, so that who waits can be told instead of spinning.
    private var reserve: Int32

    /// Connections taken before others have their turn.
    private static let inTurn = 64
    /// How long to wait when the system has nothing to give.
    private static let pause = Duration.milliseconds(100)

    init(_ socket: ListeningSocket, at index: Int, _ loop: EventLoop, _ workers: [Worker], _ gate: ConnectionGate) {
        self.socket = socket
        self.index = index
        self.loop = loop
        self.workers = workers
        self.gate = gate
        reserve = Acceptor.openReserve()
    }

    deinit { if reserve >= 0 { close(reserve) } }

    func begin() {
        token = try? loop.add(socket.descriptor, .readable, self)
    }

    /// Takes who is waiting, then closes and tidies up.
    func end() {
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
        guard gate.enter(peer) else {
            workers.first?.count { $0.refusedConnections += 1 }
            turnAway(descriptor)
            return true
        }
        if address != nil {
            // Answers are written whole; waiting for more would only delay them.
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        workers[next].adopt(descriptor, peer, listener: index)
        next = (next + 1) % workers.count
        return true
    }

    private func peer(_ descriptor: Int32, _ address: (text: String, port: UInt16)?) -> Peer? {
        if let address { return .address(address.text, port: address.port) }
        guard socket.isLocal, let found = SocketCall.peerCredentials(descriptor) else { return nil }
        return .process(user: found.user, group: found.group, process: found.process)
    }

    private func shouldGoOn(after number: Int32) -> Bool {
        switch number {
        case EAGAIN: return false
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            workers.first?.count { $0.acceptFailures += 1 }
            return useReserve()
        // The connection has gone before it was taken, or the network said something about it (accept(2)).
        default: return number == EINTR || number == ECONNABORTED || number == EPROTO
        }
    }

    /// Takes one connection with the descriptor in reserve and turns it away. False when that does not work either: then the
    /// socket is left alone for a while, since it would be ready all the time.
    private func useReserve() -> Bool {
        if reserve >= 0 {
            close(reserve)
            let (descriptor, _) = SocketCall.accept(socket.descriptor)
            if descriptor >= 0 { turnAway(descriptor) }
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

    /// Says that there are too many, without waiting for anything.
    private func turnAway(_ descriptor: Int32) {
        Acceptor.tooMany.withUnsafeBufferPointer { bytes in
            _ = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        shutdown(descriptor, Int32(SHUT_WR))
        // With something unread the answer would be thrown away with the connection.
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
            _ = read(descriptor, buffer.baseAddress, buffer.count)
        }
        close(descriptor)
    }

    private static let tooMany = Array(
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
}
