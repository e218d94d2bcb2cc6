internal import PosternAccounts
internal import PosternBase

/// What is done each minute while the daemon serves: keys change when it is their time, a store that has failed is tried, and what says
/// nothing any more is deleted in small batches, once the clock has been steady for an hour.
final class Upkeep: Sendable {
    private static let pause = Duration.seconds(60)
    private static let batch = 500

    private let time: TimeSource
    private let monotonic: MonotonicTimeSource
    private let keys = OneAtATime()

    init(time: TimeSource = .system, monotonic: MonotonicTimeSource = .system) {
        self.time = time
        self.monotonic = monotonic
    }

    /// Until cancelled. `served` are the accounts that count at the time.
    func run(_ served: @Sendable () -> ServedAccounts?) async {
        var clock = SteadyClock()
        while !Task.isCancelled {
            await monotonic.sleep(until: monotonic.now() + Self.pause)
            guard !Task.isCancelled, let served = served() else { return }
            await keepKeys(served)
            await served.open.store.tryAgain()
            let now = time.now()
            guard clock.isSteady(wall: now, monotonic: monotonic.now().components.seconds) else { continue }
            await purge(served, now: now)
        }
    }

    /// Keys change when it is their time, and what another process has changed about them is taken over.
    func keepKeys(_ served: ServedAccounts) async {
        await keys.run { [time] in
            do throws(AccountFault) {
                try await served.open.signingKeys.maintain(served.open.store, now: time.now())
            } catch {
                Self.tell(.signingKeysFailed, error)
            }
        }
    }

    /// What was over at a time that can be trusted: the clock may be set meanwhile.
    private func purge(_ served: ServedAccounts, now: Int64) async {
        do throws(AccountError) {
            var count = Self.batch
            while count >= Self.batch, !Task.isCancelled {
                count = try await served.accounts.purge(
                    now: now, auditRetention: served.auditRetention, limit: Self.batch)
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
