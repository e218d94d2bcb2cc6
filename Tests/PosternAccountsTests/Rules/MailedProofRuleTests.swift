import PosternBase
import Testing

@testable import PosternAccounts

@Suite struct MailedProofRuleTests {
    private static let now: Int64 = 1_790_000_000
    private static let email = address("a@example.org")
    private static let account = MailedProof.Owner.account(Identifier(milliseconds: 1, random: .seeded(1)))
    private static let signUp = MailedProof.Owner.signUp(Identifier(milliseconds: 1, random: .seeded(1)))

    private static func proof(
        _ number: Int64 = 1,
        _ purpose: MailedProof.Purpose = .reset,
        of owner: MailedProof.Owner = account,
        email: EmailAddress = email,
        wrongCodes: Int64 = 0,
        usedAt: Int64? = nil
    ) -> MailedProof {
        MailedProof(
            id: Identifier(milliseconds: number, random: .seeded(3)), purpose: purpose, owner: owner, email: email,
            createdAt: now - 600, expiresAt: now + 3_000, wrongCodes: wrongCodes, usedAt: usedAt)
    }

    /// What is brought.
    enum Brought: Sendable, CaseIterable { case link, rightCode, wrongCode }

    private func redeem(
        _ proof: MailedProof,
        _ brought: Brought,
        for purpose: MailedProof.Purpose = .reset,
        address: EmailAddress? = email,
        at now: Int64 = now
    ) -> MailedProofRule.Decision {
        if brought == .link { return MailedProofRule.redeem(linkOf: proof, for: purpose, address: address, now: now) }
        return MailedProofRule.redeem(
            codeOf: proof, isRight: brought == .rightCode, for: purpose, address: address, now: now)
    }

    private func used(_ proof: MailedProof, at now: Int64 = now) -> MailedProof {
        var proof = proof
        proof.usedAt = now
        return proof
    }

    private func counted(_ proof: MailedProof, _ count: Int64) -> MailedProof {
        var proof = proof
        proof.wrongCodes = count
        return proof
    }

    /// Seconds after its end; the clock may have been set back to before its beginning.
    @Test(
        arguments: [
            (-1, false), (0, true), (1, true), (3_600, true), (-3_000, false), (-3_600, false), (-7_200, false),
        ] as [(Int64, Bool)])
    func theEnd(after: Int64, isOver: Bool) {
        let proof = Self.proof()
        let now = proof.expiresAt + after
        #expect(redeem(proof, .link, at: now) == (isOver ? .expired : .redeemed(used(proof, at: now))))
        #expect(redeem(proof, .rightCode, at: now) == (isOver ? .expired : .redeemed(used(proof, at: now))))
        #expect(redeem(proof, .wrongCode, at: now) == (isOver ? .expired : .wrongCode(counted(proof, 1))))
    }

    /// Nothing used is good again, whatever the clock says, and nobody learns whether a code is right.
    @Test(arguments: [-7_200, -3_600, -1, 0, 1, 2_999, 3_000, 3_600] as [Int64], Brought.allCases)
    func usedOnce(step: Int64, brought: Brought) throws {
        for first in [Brought.link, .rightCode] {
            guard case .redeemed(let proof) = redeem(Self.proof(), first) else {
                Issue.record("\(first) is not good")
                return
            }
            #expect(proof.usedAt == Self.now)
            #expect(redeem(proof, brought, at: Self.now + step) == .used)
        }
    }

    @Test(arguments: MailedProof.Purpose.allCases, MailedProof.Purpose.allCases)
    func thePurposeIsTheOneAskedFor(made: MailedProof.Purpose, asked: MailedProof.Purpose) {
        let proof = Self.proof(1, made)
        for brought in Brought.allCases {
            let decision = redeem(proof, brought, for: asked)
            #expect((decision == .otherPurpose) == (made != asked), "\(brought)")
        }
        #expect(redeem(used(proof), .link, for: asked) == (made == asked ? .used : .otherPurpose))
    }

    /// A mailbox that is not the account's any more says nothing; that of a change is not the account's yet.
    @Test(arguments: MailedProof.Purpose.allCases, [nil, "b@example.org", "A@EXAMPLE.org"])
    func theAddressIsTheOneOfTheAccount(purpose: MailedProof.Purpose, text: String?) {
        let proof = Self.proof(1, purpose)
        let isOther = purpose != .emailChange && text != "A@EXAMPLE.org"
        for brought in Brought.allCases {
            let decision = redeem(proof, brought, for: purpose, address: text.map { address($0) })
            #expect((decision == .otherAddress) == isOther, "\(brought)")
        }
    }

    @Test func fiveWrongCodesDisableTheCodeAndNotTheLink() {
        var proof = Self.proof()
        for number: Int64 in 1...5 {
            #expect(redeem(proof, .rightCode) == .redeemed(used(proof)), "before wrong code \(number)")
            guard case .wrongCode(let next) = redeem(proof, .wrongCode) else {
                Issue.record("wrong code \(number)")
                return
            }
            #expect(next == counted(proof, number))
            proof = next
        }
        // Right or wrong, it is all one now, and each is counted.
        for number: Int64 in 6...9 {
            let next = counted(proof, number)
            #expect(redeem(proof, .rightCode) == .codeDisabled(next))
            #expect(redeem(proof, .wrongCode) == .codeDisabled(next))
            #expect(redeem(proof, .link) == .redeemed(used(proof)))
            proof = next
        }
        #expect(redeem(proof, .rightCode, at: Self.now - 3_600) == .codeDisabled(counted(proof, 10)))
    }

    /// What a store can hold is not exceeded, and nothing overflows.
    @Test(
        arguments: [
            (.min, .min + 1), (-1, 0), (0, 1), (4, 5), (5, 6), (1 << 53 - 2, 1 << 53 - 1),
            (1 << 53 - 1, 1 << 53 - 1), (1 << 53, 1 << 53 - 1), (.max, 1 << 53 - 1),
        ] as [(Int64, Int64)])
    func theGreatestCounts(count: Int64, next: Int64) {
        let proof = Self.proof(wrongCodes: count)
        let wanted = counted(proof, next)
        #expect(redeem(proof, .wrongCode) == (count < 5 ? .wrongCode(wanted) : .codeDisabled(wanted)))
        #expect(redeem(proof, .link) == .redeemed(used(proof)))
    }

    @Test(arguments: [.min, -1, 0, 1 << 53 - 1, .max] as [Int64])
    func theGreatestTimes(now: Int64) {
        let proof = Self.proof()
        #expect((redeem(proof, .link, at: now) == .expired) == (now >= proof.expiresAt))
    }

    @Test func aNewerProofMakesTheOlderVoid() {
        let new = Self.proof(9)
        let waiting = [1, 2].map { Self.proof($0) }
        let others = [
            Self.proof(3, .verify), Self.proof(4, of: Self.signUp), Self.proof(5, .magicLink, usedAt: 1),
        ]
        #expect(MailedProofRule.voided(by: new, among: waiting + others + [new]) == waiting.map(\.id))
        // Whatever the address: a change to another one is the one that is wanted.
        let elsewhere = Self.proof(6, email: address("b@example.org"))
        #expect(MailedProofRule.voided(by: new, among: [elsewhere]) == [elsewhere.id])
        // After a step of the clock the older one may have the later name.
        #expect(MailedProofRule.voided(by: new, among: [Self.proof(10)]) == [Self.proof(10).id])
        #expect(MailedProofRule.voided(by: new, among: []) == [])
    }

    @Test func ofUsedOnesTheLastStay() {
        let used = (1...6).map { Self.proof($0, usedAt: $0) }
        #expect(MailedProofRule.voided(by: Self.proof(9), among: Array(used.prefix(4))) == [])
        #expect(MailedProofRule.voided(by: Self.proof(9), among: used) == [used[0].id, used[1].id])
        let all = used + [Self.proof(7)]
        #expect(MailedProofRule.voided(by: Self.proof(9), among: all) == [all[6].id, used[0].id, used[1].id])
    }

    /// However often somebody asks, and uses what they got or not: there is an end to what is kept.
    @Test func nobodyHasEndlessOnes() {
        var known: [MailedProof] = []
        for number: Int64 in 1...200 {
            let new = Self.proof(number)
            let voided = MailedProofRule.voided(by: new, among: known)
            known.removeAll { voided.contains($0.id) }
            known.append(number % 3 == 0 ? used(new) : new)
            #expect(known.count <= MailedProofRule.maximumUsed + 2)
            #expect(known.count { $0.usedAt == nil } <= 1)
        }
    }
}
