internal import PosternBase
internal import PosternCrypto
internal import PosternTokens

/// Locks signing keys away under the master key, so that a stolen store signs nothing.
struct SealedKeys: Sendable {
    private let keys: [MasterKeys.Derived]
    private let random: RandomSource

    init(_ master: MasterKeys, random: RandomSource) throws(ConfigurationError) {
        keys = try master.derived(.signingKeys)
        self.random = random
    }

    /// key id ‖ sealed PKCS#8, bound to the name of the key.
    func seal(_ key: PrivateKey, keyID: String) throws(CryptoError) -> [UInt8] {
        let sealed = try AuthenticatedEncryption.seal(
            try key.pem(),
            key: keys[0].secret.revealed,
            nonce: random.bytes(12),
            context: Array(keyID.utf8)
        )
        return keys[0].id.bytes + sealed
    }

    /// nil when it was sealed under a master key that is not at hand, or changed.
    func open(_ sealed: [UInt8], keyID: String) throws(CryptoError) -> PrivateKey? {
        guard sealed.count > 4 else { return nil }
        let id = sealed[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let key = keys.first(where: { $0.id == id }),
            let pem = try AuthenticatedEncryption.open(
                Array(sealed[4...]), key: key.secret.revealed, context: Array(keyID.utf8))
        else { return nil }
        return try PrivateKey(pem: pem)
    }
}
