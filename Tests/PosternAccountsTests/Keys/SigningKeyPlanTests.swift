import PosternAccounts
import Testing

@Suite struct SigningKeyPlanTests {
    private static let day: Int64 = 86_400
    private static let plan = SigningKeyPlan(period: 30 * day, publishedAhead: day, accessTokenLifetime: 3_600)

    /// What is stored, changed as `SigningKeys` does.
    private struct Ring {
        var keys: [StoredSigningKey] = []
        var made = 0
        var promotions: [(at: Int64, keyID: String)] = []
        /// When each key was seen for the first and the last time.
        var published: [String: (first: Int64, last: Int64)] = [:]

        mutating func maintain(at now: Int64, _ plan: SigningKeyPlan = SigningKeyPlanTests.plan) {
            for _ in 0..<8 {
                guard let step = plan.step(keys, now: now) else { break }
                switch step {
                case .make(let state):
                    made += 1
                    keys.append(
                        StoredSigningKey(keyID: "k\(made)", state: state, sealed: [], createdAt: now, since: now))
                case .promote(let keyID):
                    promotions.append((now, keyID))
                    for index in keys.indices where keys[index].state == .current || keys[index].keyID == keyID {
                        keys[index].state = keys[index].keyID == keyID ? .current : .retired
                        keys[index].since = now
                    }
                case .delete(let keyID): keys.removeAll { $0.keyID == keyID }
                }
            }
            #expect(plan.step(keys, now: now) == nil)
            for key in keys { published[key.keyID] = (published[key.keyID]?.first ?? now, now) }
            #expect(count(.current) == 1)
            #expect(count(.next) == 1)
        }

        func count(_ state: StoredSigningKey.State) -> Int { keys.count { $0.state == state } }
    }

    @Test func aYear() throws {
        var ring = Ring()
        let start: Int64 = 1_790_000_000
        for now in stride(from: start, through: start + 365 * Self.day, by: 600) {
            ring.maintain(at: now)
            #expect(ring.count(.retired) <= 1)
        }
        #expect(ring.promotions.map(\.at) == (1...12).map { start + Int64($0) * 30 * Self.day })
        for (index, promotion) in ring.promotions.enumerated() {
            let times = try #require(ring.published[promotion.keyID])
            // Known for a day before it signs, and for as long as its last token is good afterwards.
            #expect(promotion.at - times.first >= Self.day)
            guard index + 1 < ring.promotions.count else { continue }
            let retired = ring.promotions[index + 1].at
            #expect(times.last >= retired + 3_600)
            #expect(times.last <= retired + 3_600 + 600)
        }
    }

    /// An hour on and back in the middle of everything: nobody signs with two keys, none goes before its tokens have expired,
    /// none signs unannounced.
    @Test(arguments: [-3_600, 3_600] as [Int64])
    func clockSteps(step: Int64) throws {
        for offset in stride(from: Int64(0), through: 4 * 3_600, by: 900) {
            var ring = Ring()
            let start: Int64 = 1_790_000_000
            ring.maintain(at: start)
            let stepAt = start + 30 * Self.day - 2 * 3_600 + offset
            for now in [stepAt - 60, stepAt, stepAt + step, stepAt + step + 60, stepAt, stepAt + 60] {
                ring.maintain(at: now)
            }
            for now in stride(from: stepAt, through: stepAt + Self.day, by: 600) { ring.maintain(at: now) }
            #expect(ring.promotions.count == 1)
        }
    }

    @Test func aClockThatIsSetBackADayDeletesNothing() {
        var ring = Ring()
        ring.maintain(at: 0)
        ring.maintain(at: 30 * Self.day)
        let before = ring.keys
        for now in stride(from: 29 * Self.day, through: 30 * Self.day, by: 3_600) { ring.maintain(at: now) }
        #expect(ring.keys == before)
        ring.maintain(at: 30 * Self.day + 4_199)
        #expect(ring.keys == before)
        ring.maintain(at: 30 * Self.day + 4_200)
        #expect(ring.count(.retired) == 0)
    }

    /// A key that was made too late is not hurried.
    @Test(arguments: [(86_399, 0), (86_400, 1)] as [(Int64, Int)])
    func nobodySignsUnannounced(age: Int64, promotions: Int) {
        var ring = Ring()
        ring.keys = [
            StoredSigningKey(keyID: "old", state: .current, sealed: [], createdAt: 0, since: 0),
            StoredSigningKey(keyID: "new", state: .next, sealed: [], createdAt: 0, since: 90 * Self.day),
        ]
        ring.maintain(at: 90 * Self.day + age)
        #expect(ring.promotions.count == promotions)
    }

    @Test func withoutACurrentKeyTheNextSignsAtOnce() {
        var ring = Ring()
        ring.keys = [StoredSigningKey(keyID: "new", state: .next, sealed: [], createdAt: 0, since: 0)]
        ring.maintain(at: 1)
        #expect(ring.keys.first { $0.state == .current }?.keyID == "new")
    }

    @Test(arguments: [0, 1 << 40] as [Int64])
    func extremes(now: Int64) {
        var ring = Ring()
        ring.maintain(at: now)
        ring.maintain(at: (1 << 40) - now)
        ring.maintain(at: now)
    }
}
