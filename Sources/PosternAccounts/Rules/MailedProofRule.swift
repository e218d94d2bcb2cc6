/// Whether what came by mail redeems a proof; without keys, clock or store.
///
/// That a token or a code is genuine is known before (`MailedProofKeys`). What is decided is written in the transaction that gives
/// what the proof is for.
package enum MailedProofRule {
    /// So many wrong codes disable the code, and not the link.
    package static let maximumWrongCodes: Int64 = 5
    /// Of one purpose and one person so many are remembered that were used; more would only say the same.
    package static let maximumUsed = 4

    package enum Decision: Sendable, Equatable {
        /// It was good, and is used now: to be put.
        case redeemed(MailedProof)
        /// The code was not right, and was counted: to be put.
        case wrongCode(MailedProof)
        /// No code is taken any more, right or wrong, which is all the same here; it was counted too: to be put.
        case codeDisabled(MailedProof)
        /// It was mailed for another purpose than it is brought for.
        case otherPurpose
        /// The account has another address now, so whoever has the mailbox may be somebody else.
        case otherAddress
        case used
        case expired
    }

    /// What a genuine link is good for.
    ///
    /// - Parameter address: of its account or sign-up, as it is now.
    package static func redeem(
        linkOf proof: MailedProof,
        for purpose: MailedProof.Purpose,
        address: EmailAddress?,
        now: Int64
    ) -> Decision {
        refusal(proof, purpose, address, now: now) ?? used(proof, now: now)
    }

    /// The same of a code, right or not. What is refused without regard to the code is not counted.
    package static func redeem(
        codeOf proof: MailedProof,
        isRight: Bool,
        for purpose: MailedProof.Purpose,
        address: EmailAddress?,
        now: Int64
    ) -> Decision {
        if let refusal = refusal(proof, purpose, address, now: now) { return refusal }
        var counted = proof
        counted.wrongCodes = proof.wrongCodes.countedUp
        guard proof.wrongCodes < maximumWrongCodes else { return .codeDisabled(counted) }
        return isRight ? used(proof, now: now) : .wrongCode(counted)
    }

    private static func refusal(
        _ proof: MailedProof,
        _ purpose: MailedProof.Purpose,
        _ address: EmailAddress?,
        now: Int64
    ) -> Decision? {
        if proof.purpose != purpose { return .otherPurpose }
        if purpose != .emailChange, proof.email != address { return .otherAddress }
        // Whatever the clock says.
        if proof.usedAt != nil { return .used }
        return now < proof.expiresAt ? nil : .expired
    }

    private static func used(_ proof: MailedProof, now: Int64) -> Decision {
        var proof = proof
        proof.usedAt = now
        return .redeemed(proof)
    }

    /// What a new proof makes void, to be deleted with the mails that are still to be sent: all others of its purpose and its person
    /// that wait, and those that were used before the last few, so that nobody has endless ones.
    ///
    /// - Parameter known: those of its person, the oldest first.
    package static func voided(by new: MailedProof, among known: [MailedProof]) -> [MailedProofID] {
        let others = known.filter { $0.id != new.id && $0.purpose == new.purpose && $0.owner == new.owner }
        let used = others.filter { $0.usedAt != nil }
        return (others.filter { $0.usedAt == nil } + used.dropLast(maximumUsed)).map(\.id)
    }
}

extension Int64 {
    /// One more, up to the greatest count that a store takes.
    var countedUp: Int64 { Swift.min(self, 1 << 53 - 2) + 1 }
}
