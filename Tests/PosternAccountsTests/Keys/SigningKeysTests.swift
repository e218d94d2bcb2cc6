import Foundation
import PosternBase
import PosternJOSE
import PosternStoreTestSupport
import Testing

@testable import PosternAccounts

@Suite struct SigningKeysTests {
    private static let now: Int64 = 1_790_000_000
    private static let day: Int64 = 86_400

    private func keys(_ bytes: UInt8...) throws -> SigningKeys {
        let master = try MasterKeys(bytes.map { Secret([UInt8](repeating: $0, count: 32)) })
        return try SigningKeys(master, plan: SigningKeyPlan(period: 30 * Self.day, accessTokenLifetime: 3_600))
    }

    private func stored(_ store: any AccountStore) async throws -> [StoredSigningKey] {
        try await store.read { reader throws(StoreFault) in try reader.signingKeys() }
    }

    private func names(_ store: any AccountStore, _ state: StoredSigningKey.State) async throws -> [String] {
        try await stored(store).filter { $0.state == state }.map(\.keyID)
    }

    /// Whether a token that `signer` makes now is good for `reader`.
    private func token(_ keys: SigningKeys) throws -> String { try keys.sign(Array("{}".utf8), type: "at+jwt") }

    private func keyID(_ token: String) throws -> String {
        let header = try #require(Base64URL.decode(String(token.prefix { $0 != "." })))
        return try #require(try JSONDecoder().decode([String: String].self, from: Data(header))["kid"])
    }

    @Test func withoutKeysNothingIsSigned() throws {
        let keys = try keys(1)
        #expect(!keys.isReady)
        #expect(throws: AccountFault.self) { try token(keys) }
        #expect(String(decoding: keys.keySet, as: UTF8.self) == #"{"keys":[]}"#)
    }

    @Test func theFirstStart() async throws {
        let store = MemoryStore()
        let keys = try keys(1)
        try await keys.maintain(store, now: Self.now)
        #expect(keys.isReady)
        #expect(try await names(store, .current) == [keyID(token(keys))])
        #expect(try await names(store, .next).count == 1)
        // Both are published, and nothing secret of them.
        let published = try #require(
            try JSONSerialization.jsonObject(with: Data(keys.keySet)) as? [String: [[String: String]]])
        let list = try #require(published["keys"])
        #expect(list.count == 2)
        for key in list { #expect(Set(key.keys) == ["alg", "crv", "kid", "kty", "use", "x", "y"]) }
        // The next start finds the same.
        let again = try self.keys(1)
        try await again.maintain(store, now: Self.now)
        #expect(again.keySet == keys.keySet)
        #expect(try keyID(token(again)) == keyID(token(keys)))
    }

    @Test func anotherMasterKeyIsSaid() async throws {
        let store = MemoryStore()
        try await keys(1).maintain(store, now: Self.now)
        let before = try await stored(store)
        let other = try keys(2)
        await #expect(throws: AccountFault.keysSealedElsewhere) { try await other.maintain(store, now: Self.now) }
        #expect(!other.isReady)
        #expect(try await stored(store) == before)
        #expect(try other.unopened(before) == before && keys(1).unopened(before).isEmpty)
        let both = try keys(2, 1)
        try await both.maintain(store, now: Self.now)
        #expect(both.isReady)
    }

    @Test(arguments: [false, true])
    func rotation(withdraws: Bool) async throws {
        let store = MemoryStore()
        let keys = try keys(1)
        try await keys.maintain(store, now: Self.now)
        let before = try token(keys)
        let next = try await names(store, .next)
        try await change(keys, withdraws: withdraws, store, caller: "command")
        // A key that may be somebody else's too never signs.
        #expect((try keyID(token(keys)) == next[0]) == !withdraws)
        #expect((keys.verifier(try keyID(before)) == nil) == withdraws)
        #expect(try await names(store, .retired) == (withdraws ? [] : [keyID(before)]))
        #expect(try await names(store, .next).count == 1)
        let published = String(decoding: keys.keySet, as: UTF8.self)
        #expect(published.contains(try keyID(before)) != withdraws)
        let entries = try await store.read { reader throws(StoreFault) in
            try reader.auditTrail(of: nil, before: nil, limit: 10).map(\.entry)
        }
        let event = withdraws ? AuditEvent.signingKeysWithdrawn : .signingKeyRotated
        #expect(entries == [AuditEntry(event, at: Self.now, caller: "command", detail: try keyID(token(keys)))])
    }

    private func change(
        _ keys: SigningKeys,
        withdraws: Bool,
        _ store: any AccountStore,
        caller: String? = nil
    ) async throws {
        if withdraws {
            try await keys.replace(store, now: Self.now, caller: caller)
        } else {
            try await keys.rotate(store, now: Self.now, caller: caller)
        }
    }

    /// Whatever state they are in, and whether anybody can open them.
    @Test func withALostMasterKey() async throws {
        let store = MemoryStore()
        let lost = try keys(1)
        try await lost.maintain(store, now: Self.now)
        try await lost.rotate(store, now: Self.now, caller: nil)
        let before = try token(lost)
        let keys = try keys(2)
        await #expect(throws: AccountFault.self) { try await keys.maintain(store, now: Self.now) }
        await #expect(throws: AccountFault.self) { try await keys.rotate(store, now: Self.now, caller: nil) }
        try await keys.replace(store, now: Self.now, caller: nil)
        #expect(keys.isReady)
        #expect(keys.verifier(try keyID(before)) == nil)
        #expect(try await names(store, .retired).isEmpty)
        #expect(try await names(store, .current).count == 1)
        #expect(try await names(store, .next).count == 1)
    }

    /// A running process learns of a withdrawal though it cannot open what has come instead.
    @Test func aWithdrawalUnderAnotherMasterKey() async throws {
        let store = MemoryStore()
        let running = try keys(1)
        try await running.maintain(store, now: Self.now)
        let before = try token(running)
        try await keys(2).replace(store, now: Self.now, caller: nil)
        await #expect(throws: AccountFault.keysSealedElsewhere) { try await running.maintain(store, now: Self.now) }
        #expect(!running.isReady)
        #expect(running.verifier(try keyID(before)) == nil)
        #expect(String(decoding: running.keySet, as: UTF8.self) == #"{"keys":[]}"#)
        // What is still stored goes on.
        let other = MemoryStore()
        let both = try keys(1)
        try await both.maintain(other, now: Self.now)
        let kept = try token(both)
        let stranger = MemoryStore()
        try await keys(2).maintain(stranger, now: Self.now)
        let sealedElsewhere = try await stored(stranger).map { key in
            var key = key
            key.state = .retired
            return key
        }
        try await other.transact { transaction throws(StoreFault) in
            for key in sealedElsewhere { try transaction.put(key) }
        }
        await #expect(throws: AccountFault.keysSealedElsewhere) { try await both.maintain(other, now: Self.now) }
        let keptID = try keyID(kept)
        #expect(both.isReady && both.verifier(keptID) != nil)
        // And all is as before once it is gone.
        try await other.transact { transaction throws(StoreFault) in
            for key in sealedElsewhere { try transaction.delete(signingKey: key.keyID) }
        }
        try await both.maintain(other, now: Self.now)
        #expect(both.isReady && both.verifier(keptID) != nil)
    }

    /// What is due is not done by who cannot open what is there: the right master key would not open what it had made.
    @Test func aWrongMasterKeyWritesNothing() async throws {
        let store = MemoryStore()
        let right = try keys(1)
        try await right.maintain(store, now: Self.now)
        let later = Self.now + 31 * Self.day
        let before = store.state.records
        let wrong = try keys(2)
        await #expect(throws: AccountFault.self) { try await wrong.maintain(store, now: later) }
        #expect(store.state.records == before)
        #expect(!wrong.isReady)
        try await right.maintain(store, now: later)
        #expect(store.state.records != before)
    }

    /// Two processes, one store, the same moment: what was asked of each is done.
    @Test(arguments: [false, true])
    func twoAtOnce(withdraws: Bool) async throws {
        for _ in 0..<RaceRounds.count {
            let store = MemoryStore()
            let (one, other) = (try keys(1), try keys(1))
            async let first: Void = one.maintain(store, now: Self.now)
            async let second: Void = other.maintain(store, now: Self.now)
            _ = try await (first, second)
            let former = try token(one)
            #expect(try keyID(token(other)) == keyID(former))
            async let third: Void = change(one, withdraws: withdraws, store)
            async let fourth: Void = change(other, withdraws: withdraws, store)
            async let fifth: Void = other.maintain(store, now: Self.now)
            _ = try await (third, fourth, fifth)
            for keys in [one, other] {
                try await keys.maintain(store, now: Self.now)
                #expect((keys.verifier(try keyID(former)) == nil) == withdraws)
                #expect(try await names(store, .current) == [keyID(token(keys))])
                #expect(try keyID(token(keys)) != keyID(former))
            }
            #expect(try await names(store, .next).count == 1)
        }
    }

    /// A daemon tidies up between what a rotation reads and what it writes: the leaked key goes all the same.
    @Test func aWithdrawalIsNeverLeftOut() async throws {
        for number in 1..<40 {
            let store = MemoryStore()
            let keys = try keys(1)
            try await keys.maintain(store, now: Self.now)
            let former = try keyID(token(keys))
            let meddling = MeddlingStore(store, before: number) { transaction throws(StoreFault) in
                for key in try transaction.signingKeys() where key.state == .next {
                    try transaction.delete(signingKey: key.keyID)
                }
            }
            try await keys.replace(meddling, now: Self.now, caller: nil)
            #expect(try await !stored(store).map(\.keyID).contains(former), "before transaction \(number)")
            #expect(try keyID(token(keys)) != former)
        }
    }
}

/// Another process changes something just before the nth transaction.
private final class MeddlingStore: AccountStore {
    private let store: any AccountStore
    private let left: Lock<Int>
    private let change: @Sendable (any StoreTransaction) throws(StoreFault) -> Void

    init(
        _ store: any AccountStore,
        before number: Int,
        _ change: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Void
    ) {
        self.store = store
        left = Lock(number)
        self.change = change
    }

    func transact<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome {
        let isNow = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isNow { try await store.transact(change) }
        return try await store.transact(body)
    }

    func read<Outcome: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws(StoreFault) -> Outcome
    ) async throws(StoreFault) -> Outcome { try await store.read(body) }
}
