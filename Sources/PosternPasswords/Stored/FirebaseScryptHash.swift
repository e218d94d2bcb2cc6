internal import PosternBase
internal import PosternCrypto

/// Firebase's scrypt: the derived key encrypts the project's signer key, and that is the hash.
/// `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=…$salt$hash`, all in base64 with padding; `n` is Firebase's `mem_cost`, `r` its `rounds`.
package struct FirebaseScryptHash: Sendable, Equatable {
    package let cost: ScryptCost
    private let salt: [UInt8]
    private let separator: [UInt8]
    private let signerKey: [UInt8]
    private let hash: [UInt8]

    init(_ fields: HashFields) throws(StoredHashFault) {
        try fields.expect(3)
        let values = try fields.values(0, ["v", "n", "r", "p", "ss", "sk"])
        guard values[0] == "1" else { throw .malformed("another version than 1") }
        cost = try ScryptCost(values[1], values[2], values[3])
        separator = try HashFields.bytes(values[4], "the salt separator", .required, count: 0...32)
        signerKey = try HashFields.bytes(values[5], "the signer key", .required, count: 16...128)
        salt = try HashFields.bytes(fields.parts[1], "the salt", .required, count: 1...64)
        hash = try HashFields.bytes(fields.parts[2], "the hash", .required, count: 16...128)
        guard hash.count == signerKey.count else { throw .malformed("the hash is not as long as the signer key") }
    }

    func matches(_ password: UnsafeRawBufferPointer) throws(PasswordFault) -> Bool {
        var key = try cost.derive(password, salt: salt + separator, byteCount: AES256CTR.keyByteCount)
        defer { key.wipe() }
        do throws(CryptoError) {
            let zero = [UInt8](repeating: 0, count: AES256CTR.blockByteCount)
            return ConstantTime.equals(try AES256CTR.apply(to: signerKey, key: key, initialBlock: zero), hash)
        } catch {
            throw PasswordFault(error)
        }
    }
}

/// What a Firebase project says once about all of its hashes (`hash_config` of an export).
package struct FirebaseScryptParameters: Sendable {
    private let prefix: Secret<String>

    /// The texts are base64 as the export has them; `rounds` and `memoryCost` the numbers of the same names.
    package init(signerKey: String, saltSeparator: String, rounds: Int, memoryCost: Int) throws(StoredHashFault) {
        let key = try Self.standard(signerKey, "the signer key")
        let separator = try Self.standard(saltSeparator, "the salt separator")
        prefix = Secret("$fbscrypt$v=1,n=\(memoryCost),r=\(rounds),p=1,ss=\(separator),sk=\(key)")
        // What is wrong with them is wrong with every hash and said at once.
        let hash = Base64.encode([UInt8](repeating: 0, count: Base64.decode(key, padding: .required)?.count ?? 0))
        _ = try StoredPasswordHash(parsing: "\(prefix.revealed)$AA==$\(hash)")
    }

    /// The `passwordHash` and `salt` of a user, in base64 of either alphabet: Firebase's command writes one and its server the other.
    package func hash(passwordHash: String, salt: String) throws(StoredHashFault) -> StoredPasswordHash {
        let salt = try Self.standard(salt, "the salt")
        let hash = try Self.standard(passwordHash, "the hash")
        return try StoredPasswordHash(parsing: "\(prefix.revealed)$\(salt)$\(hash)")
    }

    private static func standard(_ text: String, _ what: String) throws(StoredHashFault) -> String {
        let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        guard let bytes = Base64.decode(standard, padding: .optional) else { throw .malformed("\(what) is not base64") }
        return Base64.encode(bytes)
    }
}
