internal import Glibc
internal import PosternHTTP
internal import PosternLoop

extension Connection {
    /// Does what can be done now: reads, answers, writes.
    func turn() {
        if mode == .lingering { return linger() }
        isInTurn = true
        requestsLeft = Self.requestsInTurn
        while mode == .open, unsent.isEmpty, backlogStart < backlog.count || mayRead {
            if isTurnOver {
                if let token { worker.loop.again(token) }
                break
            }
            if worker.output.count >= Worker.pieceSize {
                flush()
            } else if backlogStart < backlog.count {
                useBacklog()
            } else {
                readInput()
            }
        }
        isInTurn = false
        if worker.isDraining, mode == .open, reader.phase == .discarding { finish() }
        if isAnswerOfMany { return worker.sendLater(self) }
        endTurn()
    }

    /// Sends what the turn has collected.
    func endTurn() {
        flush()
        if worker.isDraining, isIdle { return close() }
        updateDeadline()
    }

    /// Whether what the turn has collected may go out with that of others: nothing else is to happen to the connection now.
    private var isAnswerOfMany: Bool {
        isInEvents && mode == .open && unsent.isEmpty && !worker.output.isEmpty && !worker.isDraining
    }

    /// Nobody has more than so much before others have theirs: of requests, of bytes, or of the loop's time.
    private var isTurnOver: Bool {
        requestsLeft <= 0 || requestsLeft < Self.requestsInTurn && worker.loop.hasRunLong
    }

    /// No request, no answer, and nothing more to read at the moment.
    private var isIdle: Bool {
        mode == .open && reader.phase == .idle && unsent.isEmpty && backlog.isEmpty && !mayRead
    }

    private func useBacklog() {
        // Moved out, because what is called may look at the connection again.
        let bytes = backlog
        var offset = backlogStart
        backlog = []
        backlogStart = 0
        use(bytes.span, &offset)
        guard isReadingOn, offset < bytes.count else { return }
        backlog = bytes
        backlogStart = offset
    }

    /// What was read and not used will be.
    private var isReadingOn: Bool { mode == .open || mode == .answering }

    private func readInput() {
        let count = read(descriptor, worker.input.baseAddress, worker.input.count)
        if count > 0 {
            // Less than there was room for is all there was; the end, if it is near, is still to be found.
            mayRead = count == worker.input.count || endIsNear
            let bytes = UnsafeBufferPointer(start: worker.input.baseAddress, count: count).span
            var offset = 0
            use(bytes, &offset)
            if isReadingOn, offset < count { backlog = bytes.copy(offset..<count) }
            requestsLeft -= count / Self.bytesInsteadOfRequest
        } else if count == 0 {
            mayRead = false
            inputHasEnded()
        } else if errno == EAGAIN {
            mayRead = false
        } else if errno != EINTR {
            close()
        }
    }

    /// Has the reader read, and answers what it finds, until it needs more or the connection is busy.
    private func use(_ bytes: Span<UInt8>, _ offset: inout Int) {
        while mode == .open, unsent.isEmpty, requestsLeft > 0, worker.output.count < Worker.pieceSize {
            switch reader.read(bytes, &offset) {
            case .needsMore:
                if !holdWhatIsRead() { refuse(.tooMuchBuffered) }
                return
            case .head: meet(reader.readHead, bodyHasBegun: offset < bytes.count)
            case .request:
                requestsLeft -= 1
                hasProgressed = true
                if let request = reader.takeRequest() { answer(request) }
                if offset < bytes.count, isTurnOver { return }
            case .refused(let reason): refuse(reason)
            }
        }
    }

    /// The other side sends no more, but may still wait for answers.
    private func inputHasEnded() {
        switch reader.phase {
        case .idle, .discarding, .refused: finish()
        case .head, .body: refuse(.cutShort)
        }
    }

    /// Throws away what comes after the last answer, within bounds.
    func linger() {
        var pieces = 0
        while mayRead {
            let count = read(descriptor, worker.input.baseAddress, worker.input.count)
            if count > 0 {
                lingeredBytes += count
                pieces += 1
                guard lingeredBytes <= worker.limits.lingerBytes else { return close() }
                guard pieces < 16 else {
                    if let token { worker.loop.again(token) }
                    return
                }
            } else if count < 0, errno == EAGAIN {
                mayRead = false
            } else if count == 0 || errno != EINTR {
                return close()
            }
        }
    }
}
