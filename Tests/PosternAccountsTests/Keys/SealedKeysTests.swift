import PosternBase
import PosternCrypto
import Testing

@testable import PosternAccounts

@Suite struct SealedKeysTests {
    private func sealing(_ bytes: UInt8...) throws -> SealedKeys {
        try SealedKeys(MasterKeys(bytes.map { Secret([UInt8](repeating: $0, count: 32)) }), random: .seeded(1))
    }

    @Test func roundTrip() throws {
        let key = try PrivateKey.generateEC(.p256)
        let sealed = try sealing(1).seal(key, keyID: "k")
        #expect(try sealing(1).open(sealed, keyID: "k")?.pem() == key.pem())
        #expect(try sealing(2, 1).open(sealed, keyID: "k") != nil)
        #expect(try sealing(2).open(sealed, keyID: "k") == nil)
        #expect(try sealing(1).open(sealed, keyID: "j") == nil)
        // What was sealed under a former key is sealed under the first when it is sealed again.
        #expect(try sealing(2).open(sealing(2, 1).seal(key, keyID: "k"), keyID: "k") != nil)
    }

    @Test func everyBitCounts() throws {
        let sealing = try sealing(1)
        let sealed = try sealing.seal(PrivateKey.generateEC(.p256), keyID: "k")
        for bit in 0..<(sealed.count * 8) {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try sealing.open(changed, keyID: "k") == nil, "bit \(bit)")
        }
        for count in 0..<sealed.count { #expect(try sealing.open(Array(sealed[..<count]), keyID: "k") == nil) }
        #expect(try sealing.open(sealed + [0], keyID: "k") == nil)
    }

    @Test func nothingOfTheKeyIsInIt() throws {
        let sealing = try sealing(1)
        let key = try PrivateKey.generateEC(.p256)
        let sealed = try sealing.seal(key, keyID: "k")
        #expect(!String(decoding: sealed, as: UTF8.self).contains("PRIVATE"))
        // Each time with a nonce of its own.
        #expect(try sealing.seal(key, keyID: "k") != sealed)
    }
}
