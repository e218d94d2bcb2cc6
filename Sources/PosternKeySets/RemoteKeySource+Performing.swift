internal import PosternBase
internal import PosternJOSE

// What the machine decides, done. The machine is asked and its answer recorded under the lock; continuations and the
// observer, which are foreign code, run after it, and so does what a client does when it is cancelled.

extension RemoteKeySource {
    private typealias Woken = (continuation: CheckedContinuation<Reply, Never>, reply: Reply)

    func wait(_ continuation: CheckedContinuation<Reply, Never>, for keyID: String?, as waiter: Int) {
        act { state, now in
            state.isAsked = true
            state.waiting[waiter] = continuation
            // Cancelled before it came to wait: `leave` may have been here already, and found nobody.
            guard !Task.isCancelled else { return (KeySetMachine.Actions(), [waiter]) }
            return (state.machine.want(keyID, waiter: waiter, at: now), [])
        }
    }

    /// From now on a set that came from the disk is refreshed before its time is over.
    func noteFirstQuestion() {
        act { state, _ in
            state.isAsked = true
            return (KeySetMachine.Actions(), [])
        }
    }

    func leave(_ waiter: Int) {
        act { state, _ in
            state.machine.leave(waiter: waiter)
            return (KeySetMachine.Actions(), [waiter])
        }
    }

    /// The alarm that was set for `moment` rings.
    private func ring(at moment: Duration) {
        act { state, now in
            if state.alarm?.at == moment { state.alarm = nil }
            return (state.machine.tick(at: now), [])
        }
    }

    private func land(_ number: Int, _ outcome: KeySetFlight.Outcome) {
        let jitter = jitter()
        var written: StoredKeySet?
        act { state, now in
            guard let actions = state.machine.land(number, outcome.landing, at: now, jitter: jitter) else {
                return (KeySetMachine.Actions(), [])
            }
            let second = state.flight?.second ?? self.time.now()
            state.landed = state.flight?.task
            state.flight = nil
            state.discovered = outcome.discovered
            if let document = outcome.document {
                state.document = document
                state.lastSuccess = second
                written = self.stored(document, state.machine, second)
            }
            return (actions, [])
        }
        if let written { writeToDisk(written, number: number) }
    }

    /// A number from -1 to 1.
    func jitter() -> Double {
        let bytes = random.bytes(2)
        let number = bytes.reduce(0) { $0 << 8 | UInt64($1) } & 0xFFFF
        return Double(number) / 32_767.5 - 1
    }

    /// Asks the machine by way of `decide` and does what it says; the waiters that `decide` names leave empty-handed.
    private func act(_ decide: (inout State, Duration) -> (KeySetMachine.Actions, leaving: [Int])) {
        let now = clock.now()
        let (woken, events, abandoned) = state.withLock { state -> ([Woken], [KeySetEvent], Task<Void, Never>?) in
            let (actions, leaving) = decide(&state, now)
            var abandoned: Task<Void, Never>?
            if actions.abandon != nil {
                abandoned = state.flight?.task
                state.flight = nil
            }
            if let number = actions.start { start(number, &state) }
            publish(state)
            setAlarm(&state)
            var woken: [Woken] = leaving.compactMap { waiter in
                state.waiting.removeValue(forKey: waiter).map { ($0, .left) }
            }
            for (waiter, answer) in actions.answers {
                if let continuation = state.waiting.removeValue(forKey: waiter) {
                    woken.append((continuation, .answer(answer)))
                }
            }
            return (woken, actions.events, abandoned)
        }
        abandoned?.cancel()
        for (continuation, reply) in woken { continuation.resume(returning: reply) }
        for event in events { observer(event) }
    }

    private func start(_ number: Int, _ state: inout State) {
        let flight = KeySetFlight(
            client: client,
            location: location,
            allowsInsecureLoopback: allowsInsecureLoopback,
            known: state.document,
            discovered: state.discovered,
            clock: clock
        )
        // The time runs from the question, since the answer may be as old as that.
        let second = time.now()
        // Detached: it belongs to the source, not to the verification that happens to start it. Reading and checking a set
        // takes milliseconds, which nobody but the waiters waits for.
        let task = Task.detached { [weak self] in
            let outcome = await flight.fly()
            self?.land(number, outcome)
        }
        state.flight = (number, second, task)
    }

    /// Puts what may be used at once where `current` finds it. Under the machine's lock, so that no older set can follow.
    func publish(_ state: State) {
        let (keys, until) = state.machine.atHand.map { ($0.keys, $0.until) } ?? (nil, .zero)
        // The old set is let go after the locks: they may be the last to hold its keys.
        var old: [KeySet?] = []
        for place in atHand {
            place.withLock { place in
                old.append(place.keys)
                place.keys = keys
                place.until = until
            }
        }
        _ = old
    }

    func setAlarm(_ state: inout State) {
        guard state.isAsked, let moment = state.machine.nextTick else {
            state.alarm?.task.cancel()
            state.alarm = nil
            return
        }
        // One that rings too early does nothing but set the next.
        if let alarm = state.alarm, alarm.at <= moment { return }
        state.alarm?.task.cancel()
        let clock = clock
        let task = Task.detached { [weak self] in
            await clock.sleep(until: moment)
            if !Task.isCancelled { self?.ring(at: moment) }
        }
        state.alarm = (moment, task)
    }
}
