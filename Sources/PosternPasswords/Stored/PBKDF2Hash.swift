internal import PosternBase
package import PosternCrypto

/// PBKDF2 with HMAC-SHA-256 or -512, in three forms:
/// `$pbkdf2-sha256$i=600000,l=32$salt$hash`, where `l` may be left out, in base64 without padding;
/// `$pbkdf2-sha256$600000$salt$hash`, the same with `.` for `+`;
/// `pbkdf2_sha256$600000$salt$hash`, where the salt is text and the hash has padding.
package struct PBKDF2Hash: Sendable, Equatable {
    package let algorithm: HashAlgorithm
    package let iterations: Int
    private let salt: [UInt8]
    private let hash: [UInt8]

    private static let saltByteCount = 1...64
    private static let hashByteCount = 16...128

    init(_ algorithm: HashAlgorithm, _ fields: HashFields) throws(StoredHashFault) {
        try fields.expect(3)
        var length: Int?
        let iterations: Substring
        let isPlain = fields.parts[0].utf8.first.map { (0x30...0x39).contains($0) } ?? false
        if isPlain {
            iterations = fields.parts[0]
        } else if fields.parts[0].contains(",") {
            let values = try fields.values(0, ["i", "l"])
            iterations = values[0]
            length = try HashFields.number(values[1], "l")
        } else {
            iterations = try fields.values(0, ["i"])[0]
        }
        let salt = try Self.bytes(fields.parts[1], "the salt", isPlain, Self.saltByteCount)
        let hash = try Self.bytes(fields.parts[2], "the hash", isPlain, Self.hashByteCount)
        guard length == nil || length == hash.count else { throw .malformed("l is not the length of the hash") }
        try self.init(algorithm, iterations, salt, hash)
    }

    init(django algorithm: HashAlgorithm, _ fields: HashFields) throws(StoredHashFault) {
        try fields.expect(3)
        let salt = Array(fields.parts[1].utf8)
        guard Self.saltByteCount.contains(salt.count) else { throw .malformed("the salt has not 1 to 64 bytes") }
        let hash = try HashFields.bytes(fields.parts[2], "the hash", .required, count: Self.hashByteCount)
        try self.init(algorithm, fields.parts[0], salt, hash)
    }

    private init(_ algorithm: HashAlgorithm, _ iterations: Substring, _ salt: [UInt8], _ hash: [UInt8])
        throws(StoredHashFault)
    {
        self.algorithm = algorithm
        self.iterations = try HashFields.number(iterations, "the number of iterations", in: 1...HashCost.pbkdf2Work)
        let blocks = (hash.count + algorithm.byteCount - 1) / algorithm.byteCount
        guard self.iterations * blocks * (algorithm == .sha512 ? 2 : 1) <= HashCost.pbkdf2Work else {
            throw .tooCostly("too many iterations for a hash of this length")
        }
        self.salt = salt
        self.hash = hash
    }

    private static func bytes(_ text: Substring, _ what: String, _ hasDots: Bool, _ count: ClosedRange<Int>)
        throws(StoredHashFault)
        -> [UInt8]
    {
        guard hasDots else { return try HashFields.bytes(text, what, count: count) }
        guard !text.contains("+") else { throw .malformed("\(what) is not base64 with dots") }
        return try HashFields.bytes(Substring(text.map { $0 == "." ? "+" : $0 }), what, count: count)
    }

    func matches(_ password: UnsafeRawBufferPointer) throws(PasswordFault) -> Bool {
        do throws(CryptoError) {
            let key = try PasswordDerivation.pbkdf2(
                password, salt: salt, iterations: iterations, using: algorithm, byteCount: hash.count
            )
            return ConstantTime.equals(key, hash)
        } catch {
            throw PasswordFault(error)
        }
    }
}
