import PosternAccounts
import PosternBase
import Testing

@Suite struct MailedProofKeysTests {
    private static let id = MailedProofID(milliseconds: 1_790_000_000_000, random: .seeded(1))

    private func keys(_ bytes: UInt8...) throws -> MailedProofKeys {
        try MailedProofKeys(MasterKeys(bytes.map { Secret([UInt8](repeating: $0, count: 32)) }))
    }

    private func ids(_ count: Int) -> [MailedProofID] {
        let random = RandomSource.seeded(2)
        return (0..<count).map { MailedProofID(milliseconds: Int64($0), random: random) }
    }

    @Test func aTokenIsOfItsProofAlone() throws {
        let keys = try keys(1)
        for id in ids(100) {
            let token = try keys.token(id).revealed
            #expect(try keys.proof(of: token) == id)
            #expect(try keys.token(id).revealed == token)
            // The name, which is no secret, and 32 bytes of MAC.
            #expect(token.utf8.count == 64 && Base64URL.decode(token)?.prefix(16).elementsEqual(id.bytes) == true)
        }
    }

    @Test func everyBitOfATokenCounts() throws {
        let keys = try keys(1)
        let bytes = try #require(Base64URL.decode(keys.token(Self.id).revealed))
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try keys.proof(of: Base64URL.encode(changed)) == nil, "bit \(bit)")
        }
    }

    @Test func otherFormsOfATokenAreNone() throws {
        let keys = try keys(1)
        let token = try keys.token(Self.id).revealed
        let bytes = try #require(Base64URL.decode(token))
        let texts = [
            "", " ", token + "=", token + " ", " " + token, token + "\n", token + "A", String(token.dropLast()),
            token.uppercased(), Base64URL.encode(bytes + [0]), Base64URL.encode(bytes.dropLast()),
            Base64URL.encode(Array(bytes.prefix(16))), Base64URL.encode([UInt8](repeating: 0, count: bytes.count)),
            String(repeating: "A", count: 100_000), token + token, token + "\u{0}", "\u{FF21}" + token.dropFirst(),
            try keys.code(Self.id).revealed, "\(Self.id)",
        ]
        for text in texts { #expect(try keys.proof(of: text) == nil, "\(text.prefix(100))") }
    }

    @Test func aCodeIsSixDigitsOfItsProof() throws {
        let keys = try keys(1)
        var hasZeroFirst = false
        for id in ids(200) {
            let code = try keys.code(id).revealed
            #expect(code.utf8.count == 6 && code.utf8.allSatisfy { (0x30...0x39).contains($0) }, "\(code)")
            #expect(try keys.isCode(code, of: id))
            #expect(try keys.code(id).revealed == code)
            hasZeroFirst = hasZeroFirst || code.hasPrefix("0")
        }
        #expect(hasZeroFirst)
    }

    /// Of a million texts one is right, and no other spelling of its number.
    @Test func otherCodesAreNone() throws {
        let keys = try keys(1)
        let id = try #require(try ids(200).first { try keys.code($0).revealed.hasPrefix("0") })
        let code = try keys.code(id).revealed
        let wide = String(String.UnicodeScalarView(code.unicodeScalars.compactMap { .init($0.value + 0xFEE0) }))
        for text in [
            "", String(code.dropFirst()), code + "0", "0" + code, " " + code, code + " ", code + "\n", "+" + code,
            code + "\u{0}", wide, code + code, String(repeating: "0", count: 100_000), String(code.reversed()),
        ] {
            #expect(try !keys.isCode(text, of: id), "\(text.prefix(20))")
        }
        let number = try #require(Int(code))
        for other in [number - 1, number + 1, number + 100_000, 999_999 - number] {
            let text = String(repeating: "0", count: 6 - "\(other)".utf8.count) + "\(other)"
            #expect(try !keys.isCode(text, of: id), "\(text)")
        }
        #expect(try !keys.isCode(code, of: Self.id))
    }

    /// Each digit at each place about as often as any other; the bytes are the same in each run.
    @Test func codesAreSpreadEvenly() throws {
        let keys = try keys(1)
        var counts = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 6)
        for id in ids(10_000) {
            for (place, digit) in try keys.code(id).revealed.utf8.enumerated() { counts[place][Int(digit - 0x30)] += 1 }
        }
        for count in counts.joined() { #expect((850...1_150).contains(count)) }
    }

    /// Neither helps to find the other: they are made under two keys.
    @Test func theTokenDoesNotSayTheCode() throws {
        let keys = try keys(1)
        let told = try ids(50).filter { id in
            let bytes = try #require(Base64URL.decode(keys.token(id).revealed))
            let number = bytes[16..<24].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
            return try keys.isCode(String(repeating: "0", count: 6 - "\(number)".utf8.count) + "\(number)", of: id)
        }
        #expect(told.isEmpty)
    }

    @Test func masterKeys() throws {
        let former = try keys(1)
        let (token, code) = (try former.token(Self.id).revealed, try former.code(Self.id).revealed)
        #expect(try keys(2).proof(of: token) == nil && !keys(2).isCode(code, of: Self.id))
        // Of a former one both are recognised, and nothing is made under it.
        let both = try keys(2, 1)
        #expect(try both.proof(of: token) == Self.id && both.isCode(code, of: Self.id))
        #expect(try both.token(Self.id).revealed == keys(2).token(Self.id).revealed)
        #expect(try both.code(Self.id).revealed == keys(2).code(Self.id).revealed)
        #expect(try both.token(Self.id).revealed != token && both.code(Self.id).revealed != code)
    }

    @Test func printedTheyAreMasks() throws {
        let keys = try keys(65)
        var dumped = ""
        dump(keys, to: &dumped)
        #expect(!"\(keys) \(dumped)".contains("65"))
        #expect("\(try keys.token(Self.id)) \(try keys.code(Self.id))" == "(secret) (secret)")
    }
}
