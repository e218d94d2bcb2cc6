internal import CCrypt
internal import Glibc
internal import PosternBase
internal import PosternCrypto

/// `$2b$12$` and 53 letters: 22 of the salt and 31 of the hash; also `$2a$` and `$2y$`.
///
/// bcrypt reads the first 72 bytes of a password, and passwords that agree in those are the same to it.
package struct BcryptHash: Sendable, Equatable {
    static let readByteCount = 72
    private static let letters = Array("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    package let logRounds: Int
    private let salt: String
    private let hash: [UInt8]

    init(_ fields: HashFields) throws(StoredHashFault) {
        try fields.expect(2)
        guard fields.parts[0].utf8.count == 2,
            let rounds = DecimalDigits.value(of: fields.parts[0]).flatMap(Int.init(exactly:))
        else { throw .malformed("no cost of two digits") }
        guard rounds >= HashCost.bcryptLogRounds.lowerBound else { throw .malformed("a cost below 4") }
        guard rounds <= HashCost.bcryptLogRounds.upperBound else {
            throw .tooCostly("a cost above \(HashCost.bcryptLogRounds.upperBound)")
        }
        let text = Array(fields.parts[1].utf8)
        guard text.count == 53, text.allSatisfy(Self.letters.contains) else {
            throw .malformed("not 53 letters of bcrypt")
        }
        // The last letters stand for two bits and four: the others must be zero, or two texts would be the same hash.
        guard Self.letters.firstIndex(of: text[21]).map({ $0 & 15 }) == 0,
            Self.letters.firstIndex(of: text[52]).map({ $0 & 3 }) == 0
        else { throw .malformed("a letter with stray bits") }
        logRounds = rounds
        salt = String(fields.parts[1].prefix(22))
        hash = Array(text[22...])
    }

    func matches(_ password: UnsafeRawBufferPointer) throws(PasswordFault) -> Bool {
        // The function takes text that ends at a zero; whoever hashed one did not hash what stands behind.
        guard !password.contains(0) else { return false }
        let read = password.prefix(Self.readByteCount)
        let phrase = SecretText(capacity: read.count + 1) { room in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: read))
            return read.count + 1
        }
        // All three names stand for the same function where it has no known fault, and libcrypt guards `$2a$` against collisions with
        // faulty ones by other results for rare passwords.
        let setting = "$2b$\(logRounds < 10 ? "0" : "")\(logRounds)$\(salt)"
        var computed: [UInt8] = []
        phrase.withBytes { phrase in
            let memory = SecretText(capacity: Int(postern_crypt_memory())) { memory in
                let text = phrase.assumingMemoryBound(to: CChar.self).baseAddress
                if let output = postern_crypt(text, setting, memory.baseAddress, postern_crypt_memory()) {
                    computed = Array(UnsafeRawBufferPointer(start: output, count: strlen(output)))
                }
                return 0
            }
            withExtendedLifetime(memory) {}
        }
        guard computed.count == 60 else { throw PasswordFault(.library, "libcrypt could not compute bcrypt") }
        return ConstantTime.equals(Array(computed[29...]), hash)
    }
}
