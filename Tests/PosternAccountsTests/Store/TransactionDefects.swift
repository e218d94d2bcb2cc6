import PosternAccounts
import PosternBase

@testable import PosternStoreTestSupport

extension Defect {
    static let transactionDefects = [
        careless(.loses, foundBy: "64 increments of one row at once are all counted"),
        careless(.loses, foundBy: "50 transactions on different rows at once are all there"),
        careless(.loses, foundBy: "of 50 who look for an address and then take it, one gets it"),
        careless(.loses, foundBy: "of 50 who use a nonce and a token, one succeeds"),
        careless(.keepsFailures, foundBy: "every field of an account comes back as it was put, and is replaced"),
        careless(.keepsFailures, foundBy: "transactions that fail take nothing of their neighbours along"),
        careless(.failsTogether, foundBy: "transactions that fail take nothing of their neighbours along"),
        careless(.goesOn, foundBy: "nothing belongs to an account that is not there"),
        careless(.goesOn, foundBy: "a nonce cannot be used twice, whatever its expiry"),
        careless(
            .failsCancelled, foundBy: "a task that is cancelled while it waits neither loses nor doubles a commit"),
        careless(
            .repeatsCancelled, foundBy: "a task that is cancelled while it waits neither loses nor doubles a commit"),
        careless(.readsTogether, foundBy: "a reader neither sees what is not committed nor waits for it"),
        careless(.answersEarly, foundBy: "who has been answered is seen by whoever asks next"),
        Defect(
            "what was committed last is gone after a restart",
            foundBy: "rows of every kind are there when the store is opened again"
        ) {
            forgetful { $0.audit = $0.audit.dropLast() }
        },
        Defect(
            "what was forgotten is gone after a restart",
            foundBy: "what was forgotten is known by its greatest expiry, which never falls"
        ) {
            forgetful { $0.forgottenNonces = nil }
        },
        Defect(
            "numbers begin anew after a restart",
            foundBy: "numbers of the audit trail rise, and none comes back after a purge of everything"
        ) {
            forgetful { $0.lastAuditNumber = $0.audit.last?.number ?? 0 }
        },
    ]

    private static func careless(_ fault: CarelessStore.Carelessness, foundBy rule: String) -> Defect {
        Defect("\(fault)", foundBy: rule) {
            let store = CarelessStore(fault)
            return StorePlace(
                open: { await made(store) }, close: { _ in await Task.yield() }, remove: { await Task.yield() })
        }
    }

    /// Memory that loses something each time it is opened.
    private static func forgetful(_ lose: @escaping @Sendable (inout MemoryState) -> Void) -> StorePlace {
        let last = Lock<MemoryStore?>(nil)
        return StorePlace(
            open: {
                var state = last.withLock { $0?.state } ?? MemoryState()
                lose(&state)
                let store = MemoryStore(state)
                last.withLock { $0 = store }
                return await made(store)
            }, close: { _ in await Task.yield() }, remove: { await Task.yield() })
    }
}
