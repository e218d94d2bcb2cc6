internal import CSodium
internal import Glibc
internal import PosternCrypto

/// `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`, or argon2i; the form of the reference implementation. libsodium compares it.
package struct Argon2Hash: Sendable, Equatable {
    package enum Kind: Sendable { case argon2i, argon2id }

    package let kind: Kind
    package let memoryKiB: Int
    package let passes: Int
    package let lanes: Int
    private let salt: [UInt8]
    private let hash: [UInt8]

    init(_ kind: Kind, _ fields: HashFields) throws(StoredHashFault) {
        try fields.expect(4)
        guard fields.parts[0] == "v=19" else { throw .malformed("another version than 19") }
        let values = try fields.values(1, ["m", "t", "p"])
        self.kind = kind
        memoryKiB = try HashFields.number(values[0], "m", in: HashCost.argon2MemoryKiB)
        passes = try HashFields.number(values[1], "t", in: HashCost.argon2Passes)
        lanes = try HashFields.number(values[2], "p", in: HashCost.argon2Lanes)
        guard memoryKiB >= 8 * lanes else { throw .malformed("m is below 8 p") }
        guard memoryKiB * passes <= HashCost.argon2Work else {
            throw .tooCostly("m times t is above \(HashCost.argon2Work)")
        }
        // libsodium reads no shorter ones.
        salt = try HashFields.bytes(fields.parts[2], "the salt", count: 8...64)
        hash = try HashFields.bytes(fields.parts[3], "the hash", count: 16...64)
    }

    /// Whether it is as `Argon2idHasher` makes them now. One that costs more or less than others would tell its account from none.
    func isOwn(_ parameters: Argon2idParameters) -> Bool {
        kind == .argon2id && lanes == 1 && memoryKiB == parameters.memoryKiB && passes == parameters.passes
            && salt.count == 16 && hash.count == 32
    }

    /// `text` is what this was read from.
    func matches(_ password: SecretText, _ text: String) throws(PasswordFault) -> Bool {
        guard Sodium.isReady else { throw Sodium.fault }
        if kind == .argon2id, lanes == 1, salt.count == crypto_pwhash_argon2id_SALTBYTES {
            return ConstantTime.equals(try compute(password), hash)
        }
        let result = password.withText { crypto_pwhash_str_verify(text, $0, UInt64($1)) }
        if result == 0 { return true }
        // It says the same of another password and of too little memory.
        guard hasMemory else { throw PasswordFault(.memory, "libsodium could not compare a hash") }
        return false
    }

    /// As most are, and all of ours: with these libsodium tells when it fails.
    private func compute(_ password: SecretText) throws(PasswordFault) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: hash.count)
        let result = password.withText { text, count in
            crypto_pwhash_argon2id(
                &output, UInt64(output.count), text, UInt64(count), salt, UInt64(passes), memoryKiB * 1024,
                crypto_pwhash_argon2id_ALG_ARGON2ID13
            )
        }
        guard result == 0 else { throw PasswordFault(.memory, "libsodium could not compute a hash") }
        return output
    }

    /// Whether as much as it takes is to be had.
    private var hasMemory: Bool {
        let count = memoryKiB * 1024
        let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return false }
        munmap(memory, count)
        return true
    }
}
