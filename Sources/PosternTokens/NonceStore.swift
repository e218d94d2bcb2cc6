/// Remembers used nonces for longer than the process lives.
package protocol NonceStore: Sendable {
    /// Marks a nonce as used, atomically and durably: of any number of callers with the same one, one is told `.redeemed`.
    ///
    /// - Parameters:
    ///   - name: the SHA-256 of the nonce.
    ///   - expiresAt: its expiry, seconds since 1970.
    ///   - consume: false only asks.
    func redeem(
        _ name: [UInt8],
        expiresAt: Int64,
        now: Int64,
        consume: Bool
    ) async throws(VerificationFault) -> Redemption
}

/// A nonce of ours that a token was found to fit, and that is still good by its own words.
package struct RedeemableNonce: Sendable, Equatable {
    /// Its SHA-256.
    package let name: [UInt8]
    package let expiresAt: Int64

    package init(name: [UInt8], expiresAt: Int64) {
        self.name = name
        self.expiresAt = expiresAt
    }
}

/// An identity token that passed every check, and what must be remembered so that it buys nothing twice.
///
/// Nothing has been used up yet: who gives something for the token marks its nonce and its name as used, in the same transaction.
package struct ExchangeableToken: Sendable {
    package let identity: VerifiedIdentity
    /// An issued nonce; nil under other rules.
    package let nonce: RedeemableNonce?
    /// SHA-256 over the issuer and the signing input: a signature may have other forms, and a token other spellings of none of these.
    package let name: [UInt8]
}
