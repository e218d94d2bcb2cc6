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
        #expect(!redeemer.reserve(expiresAt: 5000, now: 10))
        for number in 0..<1000 {
            let again = redeemer.redeem(name(number), expiresAt: Int64(1000 + number), now: 10, consume: true)
            #expect(again == (number < 900 ? .expired : .used))
        }
        #expect(redeemer.reserve(expiresAt: 5000, now: 2000))
    }

    @Test func fullOfOneSecondRefusesThatSecond() {
        let redeemer = MemoryNonceRedeemer(capacity: 2)
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: true) == .redeemed)
        #expect(redeemer.redeem(name(2), expiresAt: 100, now: 10, consume: true) == .redeemed)
        #expect(redeemer.redeem(name(3), expiresAt: 100, now: 10, consume: true) == .expired)
        #expect(redeemer.redeem(name(1), expiresAt: 100, now: 10, consume: true) != .redeemed)
        #expect(redeemer.redeem(name(2), expiresAt: 100, now: 10, consume: true) != .redeemed)
    }

    /// Whoever was let be issued can be redeemed, in any order and however many come in between.
    @Test func whatIsReservedCanBeRedeemed() {
        let redeemer = MemoryNonceRedeemer(capacity: 50, lifetime: 100)
        var number = 0
        var redeemed = 0
        for now in Int64(0)..<1000 {
            var issued: [Int] = []
            while redeemer.reserve(expiresAt: now + 100, now: now) {
                issued.append(number)
                number += 1
            }
            for name in issued.shuffled() {
                let result = redeemer.redeem(self.name(name), expiresAt: now + 100, now: now + 99, consume: true)
                #expect(result == .redeemed)
                redeemed += 1
            }
            #expect(redeemer.count <= 50)
            #expect(redeemer.issuedCount <= 50)
        }
        #expect(redeemed >= 400)
    }

    /// Used or not, a nonce takes its room until it expires; a hundredth of a lifetime later at the latest the room is free.
    @Test(arguments: [(10, 1), (100, 1), (600, 6), (86_400, 864)] as [(Int64, Int64)])
    func roomIsFreeAfterExpiry(lifetime: Int64, width: Int64) {
        for start in [0, 1, width - 1, width, 7 * width + 1] as [Int64] {
            let redeemer = MemoryNonceRedeemer(capacity: 1, lifetime: lifetime)
            let end = start + lifetime
            #expect(redeemer.reserve(expiresAt: end, now: start))
            #expect(!redeemer.reserve(expiresAt: end - 1 + lifetime, now: end - 1))
            #expect(redeemer.reserve(expiresAt: end + width + lifetime, now: end + width))
        }
    }

    /// A clock that jumps about neither makes the count too small nor lets it grow.
    @Test func theCountIsBoundedUnderAnyClock() {
        let redeemer = MemoryNonceRedeemer(capacity: 100_000, lifetime: 100)
        var state: UInt64 = 1
        var alive: [Int64] = []
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let now = Int64(state >> 44)
            #expect(redeemer.reserve(expiresAt: now + 100, now: now))
            alive = alive.filter { $0 > now } + [now + 100]
            #expect(redeemer.issuedCount >= alive.count)
        }
        #expect(redeemer.reserve(expiresAt: .max, now: 1 << 40))
        #expect(redeemer.issuedCount == 1)
    }

    /// After the clock was set back, what would be dead at birth is not issued.
    @Test func nothingIsIssuedThatCannotBeRedeemed() {
        let redeemer = MemoryNonceRedeemer()
        #expect(redeemer.redeem(name(1), expiresAt: 5000, now: 4500, consume: true) == .redeemed)
        #expect(redeemer.reserve(expiresAt: 6000, now: 5400))
        #expect(!redeemer.reserve(expiresAt: 5000, now: 4400))
        #expect(redeemer.reserve(expiresAt: 5001, now: 4401))
    }
}
