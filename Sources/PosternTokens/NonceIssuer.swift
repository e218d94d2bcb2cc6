package import PosternBase
internal import PosternCrypto

/// Makes and recognises nonces that need no storage until they are used.
///
/// A nonce is base64url(version ‖ key id ‖ expiry ‖ 16 random bytes ‖ MAC), the MAC being HMAC-SHA-256 over all before it
/// and the audience.
package struct NonceIssuer: Sendable {
    /// A MAC key and the number that names it inside nonces.
    package struct Key: Sendable {
        let id: UInt32
        let secret: Secret<[UInt8]>

        /// `secret` has at least 32 bytes from a random source.
        package init(id: UInt32, secret: [UInt8]) throws(ConfigurationError) {
            guard secret.count >= 32 else {
                throw ConfigurationError("A nonce key has \(secret.count) bytes; it needs at least 32 random ones.")
            }
            self.id = id
            self.secret = Secret(secret)
        }

        /// A key that nobody else has and that ends with the process: nonces of an earlier run are unknown.
        package static func ephemeral(_ random: RandomSource = .system) throws(ConfigurationError) -> Key {
            let bytes = random.bytes(36)
            return try Key(id: bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) }, secret: Array(bytes[4...]))
        }
    }

    enum Finding: Equatable {
        case good(expiresAt: Int64)
        case unknown
        case expired
    }

    /// The lifetimes that may be set, in seconds.
    package static let lifetimeRange: ClosedRange<Int64> = 10...86_400

    private static let version: UInt8 = 1
    private static let randomByteCount = 16
    private static let headByteCount = 1 + 4 + 8
    private static let byteCount = headByteCount + randomByteCount + 32

    private let keys: [Key]
    let lifetime: Int64
    private let random: RandomSource

    /// `keys`: the first signs, all are recognised. `lifetime`: seconds, 10 to 86,400.
    package init(keys: [Key], lifetime: Int64 = 600, random: RandomSource = .system) throws(ConfigurationError) {
        guard !keys.isEmpty else { throw ConfigurationError("A nonce issuer needs a key.") }
        guard Set(keys.map(\.id)).count == keys.count else {
            throw ConfigurationError("Two nonce keys have the same id.")
        }
        guard Self.lifetimeRange.contains(lifetime) else {
            throw ConfigurationError("The lifetime of nonces is \(lifetime) s; it must be from 10 to 86400 s.")
        }
        self.keys = keys
        self.lifetime = lifetime
        self.random = random
    }

    /// A new nonce for `audience`, good from `now` on for the lifetime.
    package func issue(audience: String, now: Int64) throws(VerificationFault) -> IssuedNonce {
        let expiresAt = now + lifetime
        var bytes: [UInt8] = [Self.version]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: keys[0].id >> (24 - 8 * $0)) }
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: expiresAt >> (56 - 8 * Int64($0))) }
        bytes += random.bytes(Self.randomByteCount)
        guard let code = Self.authenticationCode(of: bytes, audience, keys[0]) else {
            throw .keysUnavailable("The nonce could not be made: HMAC-SHA-256 is not to be had.")
        }
        let nonce = Base64URL.encode(bytes + code)
        return IssuedNonce(nonce: nonce, sha256Hex: try Nonce.hash(of: nonce), expiresAt: expiresAt)
    }

    /// Whether `nonce` was issued with one of the keys for `audience` and has not expired.
    package func recognises(_ nonce: String, audience: String, now: Int64) -> Bool {
        if case .good = examine(nonce, audience: audience, now: now) { return true }
        return false
    }

    /// What `nonce` is to this issuer at `now`; whether it was used before is another question.
    func examine(_ nonce: String, audience: String, now: Int64) -> Finding {
        guard let bytes = Base64URL.decode(nonce), bytes.count == Self.byteCount, bytes[0] == Self.version else {
            return .unknown
        }
        let id = bytes[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let signed = Array(bytes[..<(Self.headByteCount + Self.randomByteCount)])
        guard let key = keys.first(where: { $0.id == id }),
            let code = Self.authenticationCode(of: signed, audience, key),
            ConstantTime.equals(code, Array(bytes[signed.count...]))
        else { return .unknown }
        let expiresAt = Int64(bitPattern: bytes[5..<13].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        return now < expiresAt ? .good(expiresAt: expiresAt) : .expired
    }

    private static func authenticationCode(of bytes: [UInt8], _ audience: String, _ key: Key) -> [UInt8]? {
        // The part before the audience has a fixed length, so no two pairs of parts give the same message.
        try? HMAC.authenticationCode(
            of: Array("postern nonce".utf8) + bytes + Array(audience.utf8),
            key: key.secret.revealed,
            using: .sha256
        )
    }
}
