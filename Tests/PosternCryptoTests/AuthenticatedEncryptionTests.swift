import PosternBase
import PosternCrypto
import Testing

@Suite struct AuthenticatedEncryptionTests {
    private let key = (0..<32).map { UInt8($0) }
    private let nonce = (100..<112).map { UInt8($0) }

    /// Computed with Python's `cryptography`.
    @Test func isAESGCM() throws {
        let sealed = try AuthenticatedEncryption.seal(
            Array("a private key".utf8), key: key, nonce: nonce, context: Array("where it belongs".utf8))
        #expect(
            Hex.encode(sealed) == "6465666768696a6b6c6d6e6f293bae14109f37ea5b42348da345b97db5fd39fc0bb4d9ffbfbc0c65ac")
    }

    @Test(arguments: [0, 1, 15, 16, 17, 4_096])
    func whatIsSealedOpens(count: Int) throws {
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try AuthenticatedEncryption.seal(message, key: key, nonce: nonce, context: [1])
        #expect(sealed.count == count + 28)
        #expect(try AuthenticatedEncryption.open(sealed, key: key, context: [1]) == message)
    }

    @Test func anyChangeIsSeen() throws {
        let sealed = try AuthenticatedEncryption.seal([1, 2, 3, 4], key: key, nonce: nonce, context: [1])
        for place in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[place] ^= 1 << bit
                #expect(try AuthenticatedEncryption.open(changed, key: key, context: [1]) == nil)
            }
        }
        for count in 0..<sealed.count {
            #expect(try AuthenticatedEncryption.open(Array(sealed[..<count]), key: key, context: [1]) == nil)
        }
        #expect(try AuthenticatedEncryption.open(sealed, key: key, context: [2]) == nil)
        #expect(try AuthenticatedEncryption.open(sealed, key: key, context: []) == nil)
        #expect(try AuthenticatedEncryption.open(sealed, key: [9] + key[1...], context: [1]) == nil)
    }

    @Test(arguments: [(31, 12), (33, 12), (0, 12), (32, 11), (32, 13)])
    func keysAndNoncesHaveTheirLength(keyCount: Int, nonceCount: Int) {
        #expect(throws: CryptoError.self) {
            try AuthenticatedEncryption.seal(
                [1], key: [UInt8](repeating: 1, count: keyCount), nonce: [UInt8](repeating: 1, count: nonceCount),
                context: [])
        }
    }
}
