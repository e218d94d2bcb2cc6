import PosternBase
import PosternTokens
import Testing

@testable import PosternAccounts

@Suite struct MasterKeysTests {
    private func secret(_ byte: UInt8, _ count: Int = 32) -> Secret<[UInt8]> {
        Secret([UInt8](repeating: byte, count: count))
    }

    @Test func whatIsRefused() {
        #expect(throws: ConfigurationError.self) { try MasterKeys([]) }
        #expect(throws: ConfigurationError.self) { try MasterKeys([secret(1, 31)]) }
        #expect(throws: ConfigurationError.self) { try MasterKeys([secret(1), secret(2, 31)]) }
        #expect(throws: ConfigurationError.self) { try MasterKeys([secret(1), secret(2), secret(1)]) }
        #expect(throws: Never.self) { try MasterKeys([secret(1), secret(2, 64)]) }
    }

    @Test func everyPurposeHasAKeyOfItsOwn() throws {
        let master = try MasterKeys([secret(1), secret(2)])
        let purposes: [MasterKeys.Purpose] = [
            .nonces, .refreshTokens, .signingKeys, .attempts, .mailedLinks, .mailedCodes,
        ]
        let keys = try purposes.flatMap { try master.derived($0).map(\.secret.revealed) }
        #expect(Set(keys).count == 12)
        #expect(keys.allSatisfy { $0.count == 32 && $0 != secret(1).revealed })
        // The number names the master key, whatever the purpose.
        #expect(Set(try purposes.map { try master.derived($0).map(\.id) }).count == 1)
    }

    @Test func printedItIsAMask() throws {
        let master = try MasterKeys([secret(65)])
        var dumped = ""
        dump(master, to: &dumped)
        #expect(!"\(master) \(dumped)".contains("65"))
    }

    @Test func noncesOutliveTheProcess() throws {
        let nonce = try MasterKeys([secret(1)]).nonceIssuer(lifetime: 600).issue(audience: "a", now: 1_000).nonce
        #expect(try MasterKeys([secret(1)]).nonceIssuer(lifetime: 10).recognises(nonce, audience: "a", now: 1_599))
        #expect(
            try MasterKeys([secret(2), secret(1)]).nonceIssuer(lifetime: 600).recognises(
                nonce, audience: "a", now: 1_000))
        #expect(try !MasterKeys([secret(2)]).nonceIssuer(lifetime: 600).recognises(nonce, audience: "a", now: 1_000))
        #expect(try !MasterKeys([secret(1)]).nonceIssuer(lifetime: 600).recognises(nonce, audience: "b", now: 1_000))
        #expect(try !MasterKeys([secret(1)]).nonceIssuer(lifetime: 600).recognises(nonce, audience: "a", now: 1_600))
    }
}
