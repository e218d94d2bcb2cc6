import PosternBase
import PosternCrypto
import PosternIssuer
import PosternJOSE
import PosternTestSupport
import Testing

@Suite struct MintingKeyTests {
    @Test(arguments: ["RS256", "ES256", "ES384", "ES512", "EdDSA"])
    func theSameKeyMintsAgain(_ name: String) throws {
        let algorithm = try #require(Algorithm(named: name))
        let key = try MintingKey.generate(algorithm)
        let again = try MintingKey(pem: key.pem())
        #expect(again.algorithm == algorithm)
        #expect(again.keyID == key.keyID)
        #expect(try again.keySet().text() == key.keySet().text())
        #expect(try key.keySet().text().contains("\"d\":") == false)
    }

    @Test func names() throws {
        let key = try TestKeys.p256.get()
        #expect(try MintingKey(key, .es256).keyID == Thumbprint.sha256(of: key.publicKey))
        #expect(try MintingKey(key, .es256, keyID: "mine").keyID == "mine")
        let nameless = try MintingKey(key, .es256, keyID: "")
        #expect(nameless.keyID == nil)
        #expect(try !nameless.keySet().text().contains("kid"))
        #expect(try KeySet(Array(nameless.keySet().text().utf8)).usable.count == 1)
    }

    @Test func anotherAlgorithmOfTheKey() throws {
        let pem = try MintingKey(TestKeys.rsa.get(), .rs256).pem()
        #expect(try MintingKey(pem: pem, algorithm: .ps512).algorithm == .ps512)
        #expect {
            try MintingKey(pem: pem, algorithm: .es256)
        } throws: {
            ($0 as? CryptoError)?.reason == .unsupported
        }
    }

    @Test(arguments: ["", "x", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"])
    func whatIsNoKey(_ text: String) {
        #expect {
            try MintingKey(pem: Array(text.utf8))
        } throws: {
            ($0 as? CryptoError)?.reason == .invalidKey
        }
    }
}
