import Dispatch
import PosternBase
import PosternTestSupport
import PosternTokens
import Synchronization
import Testing

@Suite struct NonceRedeemerTests {
    private func name(_ number: Int) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    @Test func eachNonceOnce() {
        let redeemer = MemoryNonceRedeemer()
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: false) == .redeemed)
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: true) == .redeemed)
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: true) == .used)
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: false) == .used)
        #expect(redeemer.redeem(name(2), expiresAt: 100, now: 99, consume: true) == .redeemed)
        #expect(redeemer.redeem(name(3), expiresAt: 100, now: 100, consume: true) == .expired)
    }

    /// Fifty threads, one nonce, one winner; two hundred times.
    @Test func fiftyThreadsOneWinner() {
        let redeemer = MemoryNonceRedeemer()
        for round in 0..<200 {
            let winners = Atomic(0)
            let used = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 50) { _ in
                switch redeemer.redeem(name(round), expiresAt: 100, now: 10, consume: true) {
                case .redeemed: winners.add(1, ordering: .relaxed)
                case .used: used.add(1, ordering: .relaxed)
                case .expired: break
                }
            }
            #expect(winners.load(ordering: .relaxed) == 1)
            #expect(used.load(ordering: .relaxed) == 49)
        }
    }

    @Test func aClockThatStepsBackRevivesNothing() {
        let redeemer = MemoryNonceRedeemer()
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: true) == .redeemed)
        // Forward: the used nonce is forgotten. Back: it stays refused, and so does all that expires no later.
        #expect(redeemer.redeem(name(2), expiresAt: 5000, now: 3600, consume: true) == .redeemed)
        #expect(redeemer.count == 1)
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: true) == .expired)
        #expect(redeemer.redeem(name(3), expiresAt: 100, now: 10, consume: true) == .expired)
        #expect(redeemer.redeem(name(4), expiresAt: 101, now: 10, consume: true) == .redeemed)
        #expect(redeemer.redeem(name(2), expiresAt: 5000, now: 10, consume: true) == .used)
    }

    @Test func memoryIsBoundedAndNothingIsRedeemedTwice() {
        let redeemer = MemoryNonceRedeemer(capacity: 100)
        for number in 0..<1000 {
            let result = redeemer.redeem(name(number), expiresAt: Int64(1000 + number), now: 10, consume: true)
            #expect(result == .redeemed)
            #expect(redeemer.count <= 100)
        }
        #expect(redeemer.isFull(now: 10))
        for number in 0..<1000 {
            let again = redeemer.redeem(name(number), expiresAt: Int64(1000 + number), now: 10, consume: true)
            #expect(again == (number < 900 ? .expired : .used))
        }
        #expect(!redeemer.isFull(now: 2000))
    }

    @Test func fullOfOneSecondRefusesThatSecond() {
        let redeemer = MemoryNonceRedeemer(capacity: 2)
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: true) == .redeemed)
        #expect(redeemer.redeem(name(2), expiresAt: 100, now: 10, consume: true) == .redeemed)
        #expect(redeemer.redeem(name(3), expiresAt: 100, now: 10, consume: true) == .expired)
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: true) != .redeemed)
        #expect(redeemer.redeem(name(2), expiresAt: 100, now: 10, consume: true) != .redeemed)
    }
}
