internal import PosternBase

// Who has a hash may guess at the password for as long as they like, and a signer key is another server's secret: printing one shows neither.

extension StoredPasswordHash: Masked {}

extension Argon2Hash: Masked {
    package var description: String { "Argon2Hash(memoryKiB: \(memoryKiB), passes: \(passes), \(Mask.text))" }
}

extension BcryptHash: Masked {
    package var description: String { "BcryptHash(logRounds: \(logRounds), \(Mask.text))" }
}

extension ScryptHash: Masked {}

extension PBKDF2Hash: Masked {
    package var description: String { "PBKDF2Hash(iterations: \(iterations), \(Mask.text))" }
}

extension FirebaseScryptHash: Masked {}
