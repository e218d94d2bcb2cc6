import PosternAccounts
import PosternBase
import PosternStoreTestSupport

extension AccountsFixture {
    /// A proof with its mail, good for an hour from now on, as whoever mails it puts them.
    @discardableResult
    func mail(
        _ purpose: MailedProof.Purpose,
        _ owner: MailedProof.Owner,
        _ address: String
    ) async throws -> MailedProofID {
        let now = clock.now
        let proof = MailedProof(
            id: MailedProofID(milliseconds: now * 1_000, random: random), purpose: purpose, owner: owner,
            email: try email(address), createdAt: now, expiresAt: now + 3_600)
        let mail = OutboxMail(id: OutboxMailID(milliseconds: now * 1_000, random: random), of: proof)
        keep([try MailedProofKeys(MasterKeys(Self.master)).token(proof.id).revealed])
        try await failing.transact { tx throws(StoreFault) in
            for id in MailedProofRule.voided(by: proof, among: try tx.mailedProofs(of: owner)) {
                try tx.delete(mailedProof: id)
            }
            try tx.put(proof)
            try tx.put(mail)
        }
        return proof.id
    }

    func proof(_ id: MailedProofID) async throws -> MailedProof? {
        try await store.read { reader throws(StoreFault) in try reader.mailedProof(id) }
    }

    func outbox() async throws -> [OutboxMail] {
        try await store.read { reader throws(StoreFault) in try reader.outbox(dueAt: .max, limit: 100) }
    }

    /// What comes of a link (`isRight` is nil) or of a code, written down; nil when there is no such proof.
    func redeem(
        _ id: MailedProofID,
        _ purpose: MailedProof.Purpose,
        isRight: Bool?,
        address: EmailAddress?
    ) async throws -> MailedProofRule.Decision? {
        let now = clock.now
        return try await store.transact { tx throws(StoreFault) in
            guard let proof = try tx.mailedProof(id) else { return nil }
            let decision =
                isRight.map {
                    MailedProofRule.redeem(codeOf: proof, isRight: $0, for: purpose, address: address, now: now)
                } ?? MailedProofRule.redeem(linkOf: proof, for: purpose, address: address, now: now)
            switch decision {
            case .redeemed(let next), .wrongCode(let next), .codeDisabled(let next): try tx.put(next)
            case .otherPurpose, .otherAddress, .used, .expired: break
            }
            return decision
        }
    }
}
