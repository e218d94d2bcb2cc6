/// A key that signs our access tokens, encrypted under the master key.
package struct StoredSigningKey: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// Published, so that those who verify know it before it signs.
        case next
        case current
        /// Signs nothing any more; published until the last token that it signed has expired.
        case retired
    }

    /// The `kid`, its RFC 7638 thumbprint.
    package let keyID: String
    package var state: State
    /// PKCS#8, sealed; the store never sees what is inside.
    package let sealed: [UInt8]
    package let createdAt: Int64
    /// When it came into its present state.
    package var since: Int64

    package init(keyID: String, state: State, sealed: [UInt8], createdAt: Int64, since: Int64) {
        self.keyID = keyID
        self.state = state
        self.sealed = sealed
        self.createdAt = createdAt
        self.since = since
    }
}
