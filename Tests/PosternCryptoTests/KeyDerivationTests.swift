import PosternBase
import PosternCrypto
import Testing

@Suite struct KeyDerivationTests {
    /// Computed with Python's `hmac` by RFC 5869 §2, without salt.
    @Test(arguments: [
        ("postern refresh token", 32, "f75b126cc2ad828bb21602693dd5b8e9f0dd0efcad7cf9683d1b534ef57c3224"),
        ("postern nonce", 32, "40fb467a2d2dad05954a1f1ce2be223d34b649c3397421fa242028a240f44d4f"),
        (
            "", 80,
            "37ad29109f43265287804b674e2653d0a513718907f97fca97c95bded8104bbf9601b7e7a7d5a882b151679d3bba7d1ecf9681ad0509bfa68434e1bfa767a51db8133e691b64d477f96d6e4d4b8b04c0"
        ),
    ])
    func isHKDF(purpose: String, count: Int, expected: String) throws {
        let key = (0..<32).map { UInt8($0) }
        #expect(Hex.encode(try KeyDerivation.hkdf(key, purpose: purpose, count: count)) == expected)
    }

    @Test(arguments: [(31, 32), (0, 32), (32, 0), (32, 8_161), (32, -1)])
    func whatIsTooLittleOrTooMuchIsRefused(keyCount: Int, count: Int) {
        #expect(throws: CryptoError.self) {
            try KeyDerivation.hkdf([UInt8](repeating: 7, count: keyCount), purpose: "p", count: count)
        }
    }

    @Test func theMostThereIs() throws {
        #expect(try KeyDerivation.hkdf([UInt8](repeating: 7, count: 32), purpose: "p", count: 8_160).count == 8_160)
    }
}
