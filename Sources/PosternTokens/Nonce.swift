package import PosternBase
internal import PosternCrypto

/// Nonces of the client's side: a raw value that is kept, and the hash that goes to the provider.
public enum Nonce: Sendable {
    /// 256 random bits in base64url: 43 characters.
    public static func random() -> String { random(.system) }

    package static func random(_ source: RandomSource) -> String { Base64URL.encode(source.bytes(32)) }

    /// The lower-case hex SHA-256 of the UTF-8 of `raw`: what an app sends to Apple when the rule is `hashed` or `issued`.
    public static func sha256Hex(of raw: String) -> String {
        // Fails only when OpenSSL has no SHA-256; an empty text then equals no claim.
        (try? hash(of: raw)) ?? ""
    }

    /// The same where an empty text would stand for every nonce.
    static func hash(of raw: String) throws(VerificationFault) -> String { Hex.encode(try digest(of: raw)) }

    /// SHA-256 of the UTF-8 of `raw`.
    static func digest(of raw: String) throws(VerificationFault) -> [UInt8] {
        do throws(CryptoError) {
            return try HashAlgorithm.sha256.digest(of: Array(raw.utf8))
        } catch {
            throw .keysUnavailable("The nonce could not be hashed: \(error.reason.rawValue).")
        }
    }
}
