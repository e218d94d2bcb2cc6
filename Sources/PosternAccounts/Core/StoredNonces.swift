package import PosternTokens

/// Nonces whose use is written down with the accounts, so that it outlives the process.
package struct StoredNonces: NonceStore {
    private let store: any AccountStore

    package init(_ store: any AccountStore) { self.store = store }

    package func redeem(
        _ name: [UInt8],
        expiresAt: Int64,
        now: Int64,
        consume: Bool
    ) async throws(VerificationFault) -> Redemption {
        let nonce = RedeemableNonce(name: name, expiresAt: expiresAt)
        do throws(StoreFault) {
            guard consume else {
                return try await store.read { reader throws(StoreFault) in
                    try Self.state(of: nonce, now: now, reader)
                }
            }
            return try await store.transact { transaction throws(StoreFault) in
                let state = try Self.state(of: nonce, now: now, transaction)
                if state == .redeemed { try transaction.use(nonce: nonce.name, expiresAt: nonce.expiresAt) }
                return state
            }
        } catch {
            throw .storeUnavailable("The use of the nonce could not be written down: \(error.message)")
        }
    }

    /// `.redeemed` when it may be used.
    static func state(
        of nonce: RedeemableNonce,
        now: Int64,
        _ reader: any StoreReader
    ) throws(StoreFault) -> Redemption {
        if try reader.isUsed(nonce: nonce.name) { return .used }
        // Of what expired no later than something forgotten nobody knows any more whether it was used.
        if let forgotten = try reader.forgottenNonces(), nonce.expiresAt <= forgotten { return .expired }
        return now < nonce.expiresAt ? .redeemed : .expired
    }
}
