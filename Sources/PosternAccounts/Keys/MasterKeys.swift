package import PosternBase
internal import PosternCrypto
package import PosternTokens

/// The secret that everything else comes from, and its predecessors. It is kept apart from the data, and in no backup of them.
///
/// Each is a file of at least 32 random bytes. What was made under a predecessor is recognised, and nothing new is made under it.
package struct MasterKeys: Sendable {
    /// One key for one purpose, and the number that names it in what it was used for.
    struct Derived: Sendable {
        let id: UInt32
        let secret: Secret<[UInt8]>
    }

    enum Purpose: String {
        case nonces = "postern nonces 1"
        case refreshTokens = "postern refresh tokens 1"
        case signingKeys = "postern signing keys 1"
        case attempts = "postern attempts 1"
        case mailedLinks = "postern mailed links 1"
        case mailedCodes = "postern mailed codes 1"
    }

    private let secrets: [Secret<[UInt8]>]

    /// The first makes, all are recognised; throws `ConfigurationError` when one is too short or two have one number.
    package init(_ secrets: [Secret<[UInt8]>]) throws(ConfigurationError) {
        guard !secrets.isEmpty else { throw ConfigurationError("There is no master key.") }
        guard secrets.allSatisfy({ $0.revealed.count >= 32 }) else {
            throw ConfigurationError("A master key has fewer than 32 bytes: make one with \"postern keys master\".")
        }
        self.secrets = secrets
        let numbers = try derived(.nonces).map(\.id)
        guard Set(numbers).count == numbers.count else {
            throw ConfigurationError("A master key is given twice.")
        }
    }

    /// The key of each master key for `purpose`, in their order.
    func derived(_ purpose: Purpose) throws(ConfigurationError) -> [Derived] {
        do throws(CryptoError) {
            var keys: [Derived] = []
            for secret in secrets {
                let bytes = try KeyDerivation.hkdf(secret.revealed, purpose: purpose.rawValue, count: 32)
                let name = try KeyDerivation.hkdf(secret.revealed, purpose: "postern key number 1", count: 4)
                keys.append(Derived(id: name.reduce(0) { $0 << 8 | UInt32($1) }, secret: Secret(bytes)))
            }
            return keys
        } catch {
            throw ConfigurationError("No keys can be derived from the master key: \(error.reason.rawValue).")
        }
    }

    /// Issues and recognises nonces across restarts.
    package func nonceIssuer(lifetime: Int64) throws(ConfigurationError) -> NonceIssuer {
        var keys: [NonceIssuer.Key] = []
        for key in try derived(.nonces) { keys.append(try NonceIssuer.Key(id: key.id, secret: key.secret.revealed)) }
        return try NonceIssuer(keys: keys, lifetime: lifetime)
    }
}

extension UInt32 {
    /// In network order.
    var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) } }
}

extension Int64 {
    /// In network order.
    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * Int64($0))) } }

    /// Eight bytes in network order.
    init(_ bytes: some Sequence<UInt8>) {
        self.init(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
