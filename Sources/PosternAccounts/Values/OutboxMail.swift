internal import PosternBase

/// A mail that is to be sent: what it is written from when it goes out. Its link and its code are made only then.
package struct OutboxMail: Sendable, Equatable {
    package let id: OutboxMailID
    package let proof: MailedProofID
    package let purpose: MailedProof.Purpose
    package let email: EmailAddress
    package let createdAt: Int64
    /// It is to be tried from this second on.
    package var nextAttemptAt: Int64
    /// How often it was tried in vain.
    package var tries: Int64
    /// It is of no use any more at this second.
    package let expiresAt: Int64

    package init(
        id: OutboxMailID,
        proof: MailedProofID,
        purpose: MailedProof.Purpose,
        email: EmailAddress,
        createdAt: Int64,
        nextAttemptAt: Int64,
        tries: Int64 = 0,
        expiresAt: Int64
    ) {
        self.id = id
        self.proof = proof
        self.purpose = purpose
        self.email = email
        self.createdAt = createdAt
        self.nextAttemptAt = nextAttemptAt
        self.tries = tries
        self.expiresAt = expiresAt
    }

    /// The mail of a proof, to be sent at once. It goes nowhere but to the mailbox that the proof is about.
    package init(id: OutboxMailID, of proof: MailedProof) {
        self.init(
            id: id, proof: proof.id, purpose: proof.purpose, email: proof.email, createdAt: proof.createdAt,
            nextAttemptAt: proof.createdAt, expiresAt: proof.expiresAt)
    }
}

// It holds an address.
extension OutboxMail: Masked {}
