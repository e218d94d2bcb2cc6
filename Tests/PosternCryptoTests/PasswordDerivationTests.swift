import PosternBase
import PosternCrypto
import Testing

@Suite struct PasswordDerivationTests {
    private static func scrypt(_ password: String, _ salt: String, _ cost: (Int, Int, Int), _ count: Int) throws
        -> [UInt8]
    {
        try Array(password.utf8).withUnsafeBytes { bytes in
            try PasswordDerivation.scrypt(
                bytes, salt: Array(salt.utf8), logCost: cost.0, blockSize: cost.1, parallelism: cost.2, byteCount: count
            )
        }
    }

    private static func pbkdf2(
        _ password: String, _ salt: String, _ iterations: Int, _ hash: HashAlgorithm, _ count: Int
    )
        throws -> [UInt8]
    {
        try Array(password.utf8).withUnsafeBytes { bytes in
            try PasswordDerivation.pbkdf2(
                bytes, salt: Array(salt.utf8), iterations: iterations, using: hash, byteCount: count
            )
        }
    }

    /// RFC 7914 section 12.
    @Test(arguments: [
        ("", "", (4, 1, 1), "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
        ("password", "NaCl", (10, 8, 16), "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
        (
            "pleaseletmein", "SodiumChloride", (14, 8, 1),
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        ),
    ])
    func scryptIsThatOfTheRFC(password: String, salt: String, cost: (Int, Int, Int), beginning: String) throws {
        #expect(Hex.encode(Array(try Self.scrypt(password, salt, cost, 64).prefix(32))) == beginning)
    }

    /// RFC 7914 section 11.
    @Test(arguments: [
        ("passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
        ("Password", "NaCl", 80_000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
    ])
    func pbkdf2IsThatOfTheRFC(password: String, salt: String, iterations: Int, beginning: String) throws {
        let key = try Self.pbkdf2(password, salt, iterations, .sha256, 64)
        #expect(Hex.encode(Array(key.prefix(32))) == beginning)
    }

    @Test(arguments: [
        (0, 8, 1, 32), (63, 8, 1, 32), (-1, 8, 1, 32), (4, -1, 1, 32), (4, 8, -1, 32), (4, 8, 1, 0), (4, 0, 1, 32),
        (4, 8, 0, 32),
    ])
    func sizesThatAreNoneAreErrors(logCost: Int, blockSize: Int, parallelism: Int, count: Int) {
        #expect(throws: CryptoError.self) { try Self.scrypt("a", "b", (logCost, blockSize, parallelism), count) }
    }

    @Test(arguments: [(0, 32), (-1, 32), (1 << 31, 32), (1, 0)])
    func numbersThatAreNoneAreErrors(iterations: Int, count: Int) {
        #expect(throws: CryptoError.self) { try Self.pbkdf2("a", "b", iterations, .sha512, count) }
    }
}

@Suite struct AES256CTRTests {
    private static let key = Hex.decode("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4") ?? []

    /// NIST SP 800-38A, F.5.5.
    @Test func isThatOfTheStandard() throws {
        let block = try #require(Hex.decode("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"))
        let text = try #require(Hex.decode("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"))
        let output = try AES256CTR.apply(to: text, key: Self.key, initialBlock: block)
        #expect(Hex.encode(output) == "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5")
        #expect(try AES256CTR.apply(to: output, key: Self.key, initialBlock: block) == text)
        #expect(
            try AES256CTR.apply(to: Array(text.prefix(5)), key: Self.key, initialBlock: block)
                == Array(output.prefix(5)))
        #expect(try AES256CTR.apply(to: [], key: Self.key, initialBlock: block) == [])
    }

    @Test(arguments: [(31, 16), (33, 16), (32, 15), (32, 17), (0, 0)])
    func otherSizesAreErrors(key: Int, block: Int) {
        #expect(throws: CryptoError.self) {
            try AES256CTR.apply(
                to: [1], key: .init(repeating: 0, count: key), initialBlock: .init(repeating: 0, count: block))
        }
    }
}

@Suite struct WipingTests {
    @Test func nothingIsLeft() {
        var bytes: [UInt8] = [1, 2, 3]
        bytes.wipe()
        #expect(bytes == [0, 0, 0])
        var none: [UInt8] = []
        none.wipe()
        #expect(none.isEmpty)
    }
}
