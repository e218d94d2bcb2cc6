internal import PosternAccounts
internal import PosternBase

/// What is done each minute while the daemon serves: keys change when it is their time, and what says nothing any more is deleted in
/// small batches, once the clock has been steady for an hour.
final class Upkeep: Sendable {
    private static let pause = Duration.seconds(60)
    private static let batch = 500

    private enum Keys { case kept, inHand, inHandAndWanted }
    private let keys = Lock(Keys.kept)
    private let clock = Lock(SteadyClock())

    /// Until cancelled. `served` are the accounts that count at the time.
    func run(_ served: @Sendable () -> ServedAccounts?) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pause)
            guard !Task.isCancelled, let served = served() else { return }
            await keepKeys(served)
            if isClockSteady() { await purge(served) }
        }
    }

    /// Keys change when it is their time, and what another process has changed about them is taken over. One at a time: what was read
    /// first must not be taken over last. Where it is in hand it is done once more by whoever has it in hand.
    func keepKeys(_ served: ServedAccounts) async {
        guard begin() else { return }
        repeat {
            do throws(AccountFault) {
                try await served.open.signingKeys.maintain(served.open.store, now: TimeSource.system.now())
            } catch {
                Self.tell(.signingKeysFailed, error)
            }
        } while !end()
    }

    private func isClockSteady() -> Bool {
        let (wall, monotonic) = (TimeSource.system.now(), MonotonicTimeSource.system.now().components.seconds)
        return clock.withLock { $0.isSteady(wall: wall, monotonic: monotonic) }
    }

    private func begin() -> Bool {
        keys.withLock { keys in
            defer { keys = keys == .kept ? .inHand : .inHandAndWanted }
            return keys == .kept
        }
    }

    private func end() -> Bool {
        keys.withLock { keys in
            keys = keys == .inHandAndWanted ? .inHand : .kept
            return keys == .kept
        }
    }

    private func purge(_ served: ServedAccounts) async {
        do throws(AccountError) {
            var count = Self.batch
            while count >= Self.batch, !Task.isCancelled {
                count = try await served.accounts.purge(auditRetention: served.auditRetention, limit: Self.batch)
            }
        } catch {
            guard case .fault(let fault) = error else { return }
            Self.tell(.purgeFailed, fault)
        }
    }

    private static func tell(_ event: LogEvent, _ fault: AccountFault) {
        let (code, message) = fault.words
        EventLog.write(event, [("code", .text(code, from: .ownWords)), ("message", .text(message, from: .ownWords))])
    }
}
