internal import PosternBase
internal import PosternCrypto
internal import PosternTokens

extension IdentityKey {
    /// A name that fits into a path: the first half of the SHA-256 over provider, issuer and subject in hex.
    package var name: String? {
        let parts = [Array(provider.utf8), Array(issuer.utf8), subject.bytes]
        return (try? HashAlgorithm.sha256.digest(ofEach: parts)).map { Hex.encode(Array($0.prefix(16))) }
    }
}
