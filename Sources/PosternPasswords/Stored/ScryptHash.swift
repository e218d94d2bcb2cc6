internal import PosternCrypto

/// `$scrypt$ln=16,r=8,p=1$salt$hash`: `ln` is the binary logarithm of N; salt and hash in base64 without padding.
package struct ScryptHash: Sendable, Equatable {
    package let cost: ScryptCost
    private let salt: [UInt8]
    private let hash: [UInt8]

    init(_ fields: HashFields) throws(StoredHashFault) {
        try fields.expect(3)
        let values = try fields.values(0, ["ln", "r", "p"])
        cost = try ScryptCost(values[0], values[1], values[2])
        salt = try HashFields.bytes(fields.parts[1], "the salt", count: 1...64)
        hash = try HashFields.bytes(fields.parts[2], "the hash", count: 16...64)
    }

    func matches(_ password: UnsafeRawBufferPointer) throws(PasswordFault) -> Bool {
        ConstantTime.equals(try cost.derive(password, salt: salt, byteCount: hash.count), hash)
    }
}

extension ScryptCost {
    func derive(_ password: UnsafeRawBufferPointer, salt: [UInt8], byteCount: Int) throws(PasswordFault) -> [UInt8] {
        do throws(CryptoError) {
            return try PasswordDerivation.scrypt(
                password, salt: salt, logCost: logCost, blockSize: blockSize, parallelism: parallelism,
                byteCount: byteCount
            )
        } catch {
            throw PasswordFault(error)
        }
    }
}
