internal import Glibc
internal import PosternBase
internal import PosternHTTP
internal import PosternLoop

extension Connection {
    /// A head is there, and its body is not. What the head alone decides is said now, so that nobody who would be turned
    /// away anyway makes us keep a body.
    func meet(_ head: ReadHead, bodyHasBegun: Bool) {
        guard !head.received.isAboutServer, let response = worker.responder.answer(toHead: head.received) else {
            // Who has begun to send the body does not wait.
            if head.expectsContinue, !bodyHasBegun { worker.output += "HTTP/1.1 100 Continue\r\n\r\n".utf8 }
            return
        }
        requestsLeft -= 1
        hasProgressed = true
        worker.requests.add()
        let isDiscarded = reader.discardBody(upTo: Self.discardedBytes)
        current = (head.received.method == "HEAD", !(isDiscarded && head.keepsAlive))
        take(response)
    }

    /// Hands the request to the responder, inside a turn; an answer that needs no waiting is there when this returns.
    func answer(_ request: ReadRequest) {
        current = (request.isHead, !request.keepsAlive)
        mode = .answering
        guard !request.received.head.isAboutServer else {
            return take(worker.responder.answer(.aboutServer, to: request.fields))
        }
        switch worker.responder.begin(request.received) {
        case .answered(let response):
            worker.requests.add()
            take(response)
        case .waits(let rest):
            // Only who waits keeps the body beyond this turn.
            guard holdRequest(head: 0, body: request.body.count) else {
                let notice = told(.tooMuchBuffered)
                return take(worker.responder.answer(notice, to: request.fields))
            }
            worker.requests.add()
            worker.requestsInFlight.add()
            let task = Task.immediate(executorPreference: worker.loop) { [self] in answered(await rest()) }
            if mode == .answering { handler = task }
        }
    }

    /// On the loop's thread, but for tasks that outlive the loop.
    private func answered(_ response: HTTP.Response) {
        worker.requestsInFlight.add(-1)
        guard worker.loop.isCurrent, mode == .answering else { return }
        handler = nil
        take(response)
        if !isInTurn { turn() }
    }

    private func take(_ response: HTTP.Response) {
        _ = holdRequest(head: 0, body: 0)
        let closes = current.closes || worker.isDraining
        mode = .open
        let leavesBody = ResponseWriter.append(
            response,
            isHead: current.isHead,
            closes: closes,
            date: worker.date.current(),
            bodyUpTo: closes ? .max : Self.copiedBody,
            to: &worker.output
        )
        if closes { finish() }
        if leavesBody { flush(response.body) }
    }

    /// Answers a request that cannot be read; nothing that follows it can be either.
    func refuse(_ reason: RequestRefusal) {
        say(worker.responder.answer(told(reason), to: reader.refusedFields), isHead: reader.isHead)
    }

    /// What is told of a refusal, which is counted.
    private func told(_ reason: RequestRefusal) -> HTTPNotice {
        worker.count { $0.refusedRequests[reason.rawValue, default: 0] += 1 }
        return reason.notice(worker.limits)
    }

    /// Says the last word.
    func say(_ response: HTTP.Response, isHead: Bool) {
        ResponseWriter.append(
            response,
            isHead: isHead,
            closes: true,
            date: worker.date.current(),
            to: &worker.output
        )
        finish()
    }

    /// Refuses outside a turn.
    func giveUp(_ reason: RequestRefusal) {
        refuse(reason)
        flush()
        updateDeadline()
    }

    /// Nothing is read any more as a request; what is written goes out, then the connection ends.
    func finish() {
        mode = .finishing
        backlog = []
        backlogStart = 0
        reader.letGo()
        _ = holdRequest(head: 0, body: 0)
    }

    // MARK: Writing

    /// Sends what the turn has collected, and `body` behind it. What the other side does not take at once waits, and the
    /// reading with it.
    func flush(_ body: [UInt8] = []) {
        guard mode != .closed else {
            worker.output.removeAll(keepingCapacity: true)
            return
        }
        if !worker.output.isEmpty {
            if unsent.isEmpty {
                let sent = send(worker.output, body)
                guard mode != .closed else { return worker.output.removeAll(keepingCapacity: true) }
                if sent < worker.output.count + body.count {
                    unsent = Array(worker.output.dropFirst(sent))
                    unsent += body.dropFirst(max(0, sent - worker.output.count))
                    if let token { worker.loop.change(token, [.readable, .readEnd, .writable, .once]) }
                }
            } else {
                unsent += worker.output
                unsent += body
            }
            worker.output.removeAll(keepingCapacity: worker.output.capacity <= 4 * Worker.pieceSize)
        }
        // Who takes no answers may not pile them up.
        guard holdAnswers() else {
            _ = told(.tooMuchBuffered)
            return close()
        }
        if mode == .finishing, unsent.isEmpty { beginLingering() }
    }

    /// The other side has taken something.
    func writeMore() {
        guard !unsent.isEmpty else { return }
        let start = unsentStart
        unsentStart = start + unsent.withUnsafeBufferPointer { send(UnsafeBufferPointer(rebasing: $0[start...])) }
        guard mode != .closed, unsentStart == unsent.count else { return }
        unsent = []
        unsentStart = 0
        // The write deadline is over, and a later one begins anew.
        hasProgressed = true
        if let token { worker.loop.change(token, Self.idleEvents) }
        mayRead = true
    }

    /// How much the system took of both, which it gets at once. Closes the connection when the other side is gone.
    private func send(_ first: [UInt8], _ second: [UInt8]) -> Int {
        first.withUnsafeBufferPointer { first in
            guard !second.isEmpty else { return send(first) }
            return second.withUnsafeBufferPointer { second in
                // Only read from, though the type cannot say so.
                var pieces = [first, second].map { iovec(iov_base: .init(mutating: $0.baseAddress), iov_len: $0.count) }
                return pieces.withUnsafeMutableBufferPointer { pieces in
                    var message = msghdr()
                    message.msg_iov = pieces.baseAddress
                    message.msg_iovlen = pieces.count
                    let count = retrying { sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL)) }
                    return max(count, 0)
                }
            }
        }
    }

    /// How much the system took. Closes the connection when the other side is gone.
    private func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = retrying {
                Glibc.send(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 else { break }
            sent += count
        }
        return sent
    }

    /// Calls again what a signal has interrupted. Closes the connection where the reason is not that the system takes no more now.
    private func retrying(_ call: () -> Int) -> Int {
        while true {
            let count = call()
            if count >= 0 || errno == EAGAIN { return count }
            guard errno == EINTR else {
                close()
                return count
            }
        }
    }

    private func beginLingering() {
        mode = .lingering
        shutdown(descriptor, Int32(SHUT_WR))
        mayRead = true
        linger()
    }
}
