import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTestSupport
import Testing

@Suite struct KeySetReuseTests {
    private func member(
        _ key: Result<PrivateKey, any Error>,
        _ keyID: String,
        _ more: [(String, JSONOutput)] = []
    ) throws -> JSONOutput {
        let numbers = try Thumbprint.members(of: key.get().publicKey).map { ($0.0, JSONOutput.string($0.1)) }
        return .object(numbers + [("kid", .string(keyID))] + more)
    }

    private func set(_ members: [JSONOutput], reusing previous: KeySet? = nil) throws -> KeySet {
        try KeySet(Array(JSONOutput.object([("keys", .array(members))]).text().utf8), reusing: previous)
    }

    @Test func unchangedMembersAreTheSameKeys() throws {
        let members = [
            try member(TestKeys.rsa, "r"), try member(TestKeys.p256, "e"), try member(TestKeys.ed25519, "o"),
        ]
        let first = try set(members)
        let second = try set([try member(TestKeys.otherRSA, "new")] + members.reversed(), reusing: first)
        #expect(second.usable.map(\.keyID) == ["new", "o", "e", "r"])
        #expect(second.usable[1] === first.usable[2])
        #expect(second.usable[2] === first.usable[1])
        #expect(second.usable[3] === first.usable[0])
    }

    /// Name, algorithm and issuer are those of the new set, the numbers alone are old.
    @Test func renamedKeysKeepTheirNumbersOnly() throws {
        let first = try set([try member(TestKeys.rsa, "old")])
        let changes: [(String, [(String, JSONOutput)])] = [
            ("new", []), ("old", [("alg", .string("RS512"))]), ("old", [("issuer", .string("x"))]),
        ]
        for (keyID, more) in changes {
            let key = try #require(try set([try member(TestKeys.rsa, keyID, more)], reusing: first).usable.first)
            #expect(key !== first.usable[0])
            #expect(key.publicKey === first.usable[0].publicKey)
            #expect(key.keyID == keyID)
            #expect(key.declaredAlgorithm?.name == (more.first?.0 == "alg" ? "RS512" : nil))
            #expect(key.issuer == (more.first?.0 == "issuer" ? "x" : nil))
        }
    }

    /// A known key excuses nothing: members that are not usable stay so, and other numbers are other keys.
    @Test func nothingElseIsTakenOver() throws {
        let first = try set([try member(TestKeys.rsa, "a")])
        let second = try set(
            [
                try member(TestKeys.rsa, "a", [("use", .string("enc"))]),
                try member(TestKeys.rsa, "b", [("d", .string("AAAA"))]),
                try member(TestKeys.rsa, "c", [("alg", .string("ES256"))]),
                try member(TestKeys.otherRSA, "a"),
            ],
            reusing: first
        )
        #expect(second.skipped.map(\.reason) == [.use, .privateParts, .algorithm])
        #expect(second.usable.count == 1)
        #expect(second.usable.first?.publicKey !== first.usable[0].publicKey)
        #expect(second.usable.first?.thumbprint != first.usable[0].thumbprint)
    }

    @Test func namesAreThoseOfUsableAndSkippedMembers() throws {
        let keys = try set([try member(TestKeys.rsa, "good"), .object([("kid", .string("bad"))])])
        #expect(keys.names("good"))
        #expect(keys.names("bad"))
        #expect(!keys.names("other"))
        #expect(!keys.names(""))
        #expect(!KeySet(keys: []).names(""))
    }
}
