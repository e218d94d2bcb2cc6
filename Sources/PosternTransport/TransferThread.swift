internal import CCurl
internal import Glibc
internal import PosternHTTP

/// What the thread of a `TransferLoop` owns and does; used by that thread alone.
final class TransferThread {
    private struct Active {
        let waiting: TransferLoop.Waiting
        let transfer: Transfer
    }

    private let loop: TransferLoop
    private let multi: UnsafeMutableRawPointer
    /// Those who wait for a place, first come first.
    private var queue: [TransferLoop.Waiting] = []
    private var active: [UnsafeMutableRawPointer: Active] = [:]

    init(_ loop: TransferLoop, _ multi: UnsafeMutableRawPointer) {
        self.loop = loop
        self.multi = multi
    }

    /// Works until the client goes away or libcurl fails as a whole.
    func run() {
        keepSignalsAway()
        // Connections kept for later requests; without a bound there would be one for each that ever ran beside others.
        postern_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, loop.settings.values.concurrentRequests)
        var isWorking = true
        while isWorking {
            isWorking = takeInbox() && step()
        }
        let late = loop.retire()
        let reason = HTTP.ClientError(.failed, "The client has ended before the answer came.")
        for handle in Array(active.keys) { end(handle, .failure(reason)) }
        for waiting in queue + late { loop.finish(waiting, .failure(reason)) }
        curl_multi_cleanup(multi)
    }

    /// Signals are the business of other threads; SIGPIPE least of all ends the process from here.
    private func keepSignalsAway() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }

    /// False when the client goes away.
    private func takeInbox() -> Bool {
        let (arrivals, cancelled, isClosing) = loop.takeInbox()
        queue += arrivals
        for exchange in cancelled { cancel(exchange) }
        return !isClosing
    }

    /// One round of work and one of waiting; false when libcurl fails.
    private func step() -> Bool {
        var running: Int32 = 0
        repeat {
            endLateOnes()
            startNext()
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return false }
            // Each that is over makes room for one that waits.
        } while takeMessages() && !queue.isEmpty
        let now = Monotonic.now()
        let first = queue.map { Monotonic.milliseconds(until: $0.exchange.deadline, from: now) }.min() ?? 60_000
        return curl_multi_poll(multi, nil, 0, Int32(min(first, 60_000)), nil) == CURLM_OK
    }

    private func cancel(_ exchange: Exchange) {
        if let place = queue.firstIndex(where: { $0.exchange === exchange }) {
            loop.finish(queue.remove(at: place), .failure(.leftByTask))
        } else if let found = active.first(where: { $0.value.waiting.exchange === exchange }) {
            end(found.key, .failure(.leftByTask))
        }
    }

    /// Those whose time is up before they had a place.
    private func endLateOnes() {
        guard !queue.isEmpty else { return }
        let now = Monotonic.now()
        for waiting in queue where waiting.exchange.deadline <= now {
            let host = waiting.exchange.target.host
            loop.finish(
                waiting,
                .failure(HTTP.ClientError(.timedOut, "Time is up: the request to \(host) waited behind others."))
            )
        }
        queue.removeAll { $0.exchange.deadline <= now }
    }

    private func startNext() {
        while active.count < loop.settings.values.concurrentRequests, !queue.isEmpty {
            let waiting = queue.removeFirst()
            do throws(HTTP.ClientError) {
                let transfer = try Transfer(waiting.exchange, loop.settings)
                guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
                    throw HTTP.ClientError(.failed, "libcurl took no further request; is there memory left?")
                }
                active[transfer.handle] = Active(waiting: waiting, transfer: transfer)
            } catch {
                loop.finish(waiting, .failure(error))
            }
        }
    }

    /// True when at least one request has ended.
    private func takeMessages() -> Bool {
        var hasEnded = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = active[handle]?.transfer
            else { continue }
            // Read before the handle leaves: the message goes with it.
            end(handle, transfer.outcome(postern_curl_message_result(message)))
            hasEnded = true
        }
        return hasEnded
    }

    /// Takes the request out of libcurl, then answers.
    private func end(_ handle: UnsafeMutableRawPointer, _ result: Result<HTTP.Response, HTTP.ClientError>) {
        guard let found = active.removeValue(forKey: handle) else { return }
        curl_multi_remove_handle(multi, handle)
        let waiting = found.waiting
        // `found` holds the last reference to the transfer, which must be gone before anybody goes on.
        withExtendedLifetime(consume found) {}
        loop.finish(waiting, result)
    }
}
