import PosternAccounts
import PosternBase
import Testing

@Suite struct RefreshTokensTests {
    private static let session = SessionID(milliseconds: 1_790_000_000_000, random: .seeded(1))

    private func master(_ bytes: UInt8...) throws -> MasterKeys {
        try MasterKeys(bytes.map { Secret([UInt8](repeating: $0, count: 32)) })
    }

    @Test(arguments: [0, 1, 255, 256, 1 << 40, .max] as [Int64])
    func roundTrip(counter: Int64) throws {
        let tokens = try RefreshTokens(master(1))
        let token = try tokens.token(Self.session, counter: counter)
        let content = try #require(tokens.content(of: token))
        #expect(content.session == Self.session)
        #expect(content.counter == counter)
        #expect(try tokens.token(Self.session, counter: counter) == token)
        #expect(try RefreshTokens(master(1)).content(of: token) != nil)
    }

    @Test func everyBitCounts() throws {
        let tokens = try RefreshTokens(master(1))
        let bytes = try #require(Base64URL.decode(tokens.token(Self.session, counter: 7)))
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(tokens.content(of: Base64URL.encode(changed)) == nil, "bit \(bit)")
        }
    }

    @Test func otherForms() throws {
        let tokens = try RefreshTokens(master(1))
        let token = try tokens.token(Self.session, counter: 7)
        let bytes = try #require(Base64URL.decode(token))
        let texts = [
            "", " ", token + "=", token + " ", " " + token, token + "\n", token + "A", String(token.dropLast()),
            token.uppercased(), Base64URL.encode(bytes + [0]), Base64URL.encode(bytes.dropLast()),
            Base64URL.encode([UInt8](repeating: 0, count: bytes.count)), String(repeating: "A", count: 100_000),
            token + token, token + "\u{0}", "\u{FF21}" + token.dropFirst(),
        ]
        for text in texts { #expect(tokens.content(of: text) == nil, "\(text.prefix(100))") }
        // Every other last character is another spelling of the same or other bytes: none is taken.
        for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        where character != token.last {
            #expect(tokens.content(of: token.dropLast() + String(character)) == nil)
        }
    }

    @Test func masterKeys() throws {
        let token = try RefreshTokens(master(1)).token(Self.session, counter: 7)
        #expect(try RefreshTokens(master(2)).content(of: token) == nil)
        // A former one is recognised, and nothing is made under it.
        let both = try RefreshTokens(master(2, 1))
        #expect(both.content(of: token)?.counter == 7)
        #expect(try both.token(Self.session, counter: 7) == RefreshTokens(master(2)).token(Self.session, counter: 7))
        #expect(try both.token(Self.session, counter: 7) != token)
    }
}
