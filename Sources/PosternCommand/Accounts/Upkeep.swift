internal import PosternAccounts
internal import PosternBase

/// What is done each minute while the daemon serves: keys change when it is their time, and what says nothing any more is deleted in
/// small batches.
enum Upkeep {
    private static let pause = Duration.seconds(60)
    private static let batch = 500

    /// Until cancelled. `served` are the accounts that count at the time.
    static func run(_ served: @Sendable () -> ServedAccounts?) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: pause)
            guard !Task.isCancelled, let served = served() else { return }
            await keepKeys(served)
            await purge(served)
        }
    }

    /// Keys change when it is their time, and what another process has changed about them is taken over.
    static func keepKeys(_ served: ServedAccounts) async {
        do throws(AccountFault) {
            try await served.open.signingKeys.maintain(served.open.store, now: TimeSource.system.now())
        } catch {
            tell(.signingKeysFailed, error)
        }
    }

    private static func purge(_ served: ServedAccounts) async {
        do throws(AccountError) {
            var count = batch
            while count >= batch, !Task.isCancelled {
                count = try await served.accounts.purge(auditRetention: served.auditRetention, limit: batch)
            }
        } catch {
            guard case .fault(let fault) = error else { return }
            tell(.purgeFailed, fault)
        }
    }

    private static func tell(_ event: LogEvent, _ fault: AccountFault) {
        let (code, message) = fault.words
        EventLog.write(event, [("code", .text(code, from: .ownWords)), ("message", .text(message, from: .ownWords))])
    }
}
