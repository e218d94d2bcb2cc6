internal import PosternBase
internal import PosternCrypto
internal import PosternJOSE

/// `at_hash` and `c_hash`: the left half of the hash of a value, by the token's own algorithm (OpenID Connect Core §3.1.3.6
/// and §3.3.2.11).
enum HashClaim {
    static func value(of text: String, _ algorithm: Algorithm) throws(CryptoError) -> String {
        let digest = try algorithm.hash.digest(of: Array(text.utf8))
        return Base64URL.encode(digest[..<(digest.count / 2)])
    }
}
