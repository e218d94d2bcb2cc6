internal import PosternBase
internal import PosternCrypto

/// A key that was checked when an earlier set was read.
struct KnownKey {
    let material: PublicKey.Material
    let key: VerificationKey

    static func all(of keys: KeySet?) -> [KnownKey] {
        // A key whose numbers cannot be read back is only not reused.
        (keys?.usable ?? []).compactMap { key in
            (try? key.publicKey.material()).map { KnownKey(material: $0, key: key) }
        }
    }
}

extension VerificationKey {
    /// Whether the members beside the numbers are these.
    func isNamed(_ keyID: String?, _ algorithm: Algorithm?, _ issuer: String?) -> Bool {
        declaredAlgorithm == algorithm && Self.match(self.keyID, keyID) && Self.match(self.issuer, issuer)
    }

    private static func match(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.isSameBytes(as: right)
        default: false
        }
    }
}
