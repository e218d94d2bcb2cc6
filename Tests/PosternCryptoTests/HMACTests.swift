import PosternBase
import PosternCrypto
import Testing

/// Expected values were computed with Python's hmac.
@Suite struct HMACTests {
    private struct Case: Sendable {
        let key: [UInt8]
        let message: String
        let codes: [String]
    }

    private static let cases = [
        Case(
            key: Array("k".utf8), message: "",
            codes: [
                "8bb990c40a7d61cb97597a942125025be50ac8beb74436e3735b98893a7f6620",
                "d62e25190514ee9a62b5bd3cfabfe6f8b114a5664923b9c26b0d383945f63e26145d1974e9b7d1957b85561254f31685",
                "893ccbf5d0b335fcda6f625e4a59055a364d75a9251589428750782c116830a1"
                    + "af455efe1094c1901d0e8fd5beb6df64c6d5fe1c6f09be6ef47fb3987260cdd8",
            ]),
        // The block of SHA-256 in length.
        Case(
            key: (0..<64).map { UInt8($0) }, message: "block-size key",
            codes: [
                "1dad230598e011a4e4eabc6c8da8f55ef9a66a8881d1e16e23ea116ae28231ec",
                "98496999bec1bd1f2d85af6c49c7c16e8fc6dd672753805f13f0313ca48a67843b2d1e4630c0dfe767089bd8aaf033e3",
                "a2ce260542573bddfbb1ff264a1a3439e08e2da2c0718bcdedb300598087dd0e"
                    + "e632bb48a8f771247531d71ac1e59f4a90a8848515657f9eedc1ab8ac74b0d21",
            ]),
        Case(
            key: (0..<200).map { UInt8($0) }, message: "longer key than any block",
            codes: [
                "abf50a7443a2c7a6ee33468975faca21e2c7b2db3fe1ec55f8c1f4bd1f4cdbdc",
                "8a730c5adf6c6b0e0cba7a9706575fbdfebbe63272406d722ea9899f279ffc5a6aad79526f0ada6b9b9fa3fc843826ea",
                "848324d6d45c84b25671358f5d9cd8578910ae67ec5f9ad75a65c97e986b48b7"
                    + "c55cd7ab78189a0b3fb770d8d30c60be9bfa719846f33be8ea199fe391ef5ae1",
            ]),
    ]

    @Test func knownCodes() throws {
        for example in Self.cases {
            for (hash, code) in zip(HashAlgorithm.allCases, example.codes) {
                let made = try HMAC.authenticationCode(of: Array(example.message.utf8), key: example.key, using: hash)
                #expect(Hex.encode(made) == code)
            }
        }
    }

    @Test(arguments: HashAlgorithm.allCases)
    func anEmptyKeyIsNone(_ hash: HashAlgorithm) throws {
        let error = try #require(throws: CryptoError.self) {
            try HMAC.authenticationCode(of: [1], key: [], using: hash)
        }
        #expect(error.reason == .invalidKey)
    }
}
