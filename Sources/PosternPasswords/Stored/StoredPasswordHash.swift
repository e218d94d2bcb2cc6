internal import PosternBase
internal import PosternCrypto

/// A password as a store or an import has it: of a known form, well-formed, and not beyond what it may cost to verify.
package struct StoredPasswordHash: Sendable {
    package enum Scheme: Sendable, Equatable {
        case argon2(Argon2Hash)
        case bcrypt(BcryptHash)
        case scrypt(ScryptHash)
        case pbkdf2(PBKDF2Hash)
        case firebaseScrypt(FirebaseScryptHash)
    }

    package let scheme: Scheme
    /// What the store keeps. For the store and nobody else.
    package let text: String

    package static let maximumByteCount = 1024

    /// Reads a text, which stays as it is.
    package init(parsing text: String) throws(StoredHashFault) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .malformed("more than 1024 bytes") }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformed("a character of no such text")
        }
        scheme = try Self.scheme(HashFields(text))
        self.text = text
    }

    private static func scheme(_ fields: HashFields) throws(StoredHashFault) -> Scheme {
        switch fields.name {
        case "$argon2id": .argon2(try Argon2Hash(.argon2id, fields))
        case "$argon2i": .argon2(try Argon2Hash(.argon2i, fields))
        case "$2a", "$2b", "$2y": .bcrypt(try BcryptHash(fields))
        case "$scrypt": .scrypt(try ScryptHash(fields))
        case "$pbkdf2-sha256": .pbkdf2(try PBKDF2Hash(.sha256, fields))
        case "$pbkdf2-sha512": .pbkdf2(try PBKDF2Hash(.sha512, fields))
        case "pbkdf2_sha256": .pbkdf2(try PBKDF2Hash(django: .sha256, fields))
        case "pbkdf2_sha512": .pbkdf2(try PBKDF2Hash(django: .sha512, fields))
        case "$fbscrypt": .firebaseScrypt(try FirebaseScryptHash(fields))
        default: throw .unknownForm
        }
    }

    /// Of two passwords that the first fits, whether the hash may tell them apart: bcrypt reads 72 bytes and no more.
    func determines(_ password: Password) -> Bool {
        if case .bcrypt = scheme { password.text.count <= BcryptHash.readByteCount } else { true }
    }
}

extension StoredPasswordHash: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.text.isSameBytes(as: right.text) }
}
