import PosternAccounts
import PosternBase
import Testing

@Suite struct EmailAddressTests {
    @Test(arguments: goodAddresses) func isRead(typed: String, text: String) throws {
        let address = try EmailAddress(typed)
        #expect(address.text.isSameBytes(as: text))
        #expect(address.key.isSameBytes(as: text.lowercased()))
        #expect(address.text.utf8.count <= 254)
        // What was read is written one way alone.
        #expect(try EmailAddress(address.text) == address)
        #expect(EmailAddress(stored: address.text) == address)
        #expect((EmailAddress(stored: typed) == nil) == !typed.isSameBytes(as: text))
    }

    @Test(arguments: badAddresses) func isRefused(typed: String, mistake: EmailAddress.Mistake) {
        #expect(throws: mistake) { try EmailAddress(typed) }
        #expect(EmailAddress(stored: typed) == nil)
    }

    @Test(arguments: [
        ("a@example.org", "example.org"), ("\"a@b\"@Example.org", "example.org"),
        ("a@b\u{FC}cher.example", "xn--bcher-kva.example"),
    ])
    func hasADomain(typed: String, domain: String) throws { #expect(try EmailAddress(typed).domain == domain) }

    /// Only the case of ASCII letters is folded: what looks alike, or is alike for one provider, is another mailbox.
    @Test(arguments: [
        ("a@apple.com", "a@\u{430}pple.com"), ("a.b@gmail.com", "ab@gmail.com"), ("a+b@gmail.com", "a@gmail.com"),
        ("a@example.org", "a@example.com"), ("a@fass.example", "a@fa\u{DF}.example"),
        ("0@example.org", "o@example.org"),
        ("\"a b\"@example.org", "\"a  b\"@example.org"), ("^@example.org", "~@example.org"),
        ("\"[\"@example.org", "\"{\"@example.org"), ("\"@\"@example.org", "`@example.org"),
    ])
    func areTwo(one: String, other: String) throws {
        #expect(try !EmailAddress(one).key.isSameBytes(as: EmailAddress(other).key))
    }

    @Test func printsNothingOfItself() throws {
        let address = try EmailAddress("somebody@example.org")
        for text in ["\(address)", String(reflecting: address), "\(Mirror(reflecting: address).children.map { $0 })"] {
            #expect(!text.contains("somebody"))
        }
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!dumped.contains("somebody"))
    }

    /// Both sides of every bound of a length.
    @Test func lengthsAreBounded() throws {
        func local(_ count: Int) -> String { String(repeating: "a", count: count) }
        let domain = [63, 63, 58].map { local($0) }.joined(separator: ".")
        for count in [1, 63, 64] { #expect(throws: Never.self) { try EmailAddress(local(count) + "@example.org") } }
        for count in [0, 65, 900] {
            #expect(throws: EmailAddress.Mistake.localPart) { try EmailAddress(local(count) + "@example.org") }
        }
        for count in [1, 62, 63] { #expect(throws: Never.self) { try EmailAddress("a@" + local(count) + ".org") } }
        for count in [0, 64, 200] {
            #expect(throws: EmailAddress.Mistake.domain) { try EmailAddress("a@" + local(count) + ".org") }
        }
        // 186 bytes of domain and the @ leave 67, more than a local part may have; so a label more.
        #expect(try EmailAddress(local(64) + "@" + domain + ".a").text.utf8.count == 253)
        #expect(try EmailAddress(local(64) + "@" + domain + ".ab").text.utf8.count == 254)
        #expect(throws: EmailAddress.Mistake.tooLong) { try EmailAddress(local(64) + "@" + domain + ".abc") }
        #expect(throws: EmailAddress.Mistake.tooLong) { try EmailAddress(local(1_020) + "@a.bc") }
        #expect(throws: EmailAddress.Mistake.localPart) { try EmailAddress(local(1_019) + "@a.bc") }
        // A domain may be longer as it is typed than as it is kept.
        let long = String(repeating: "\u{AD}", count: 400) + "example.org"
        #expect(try EmailAddress("a@" + long).text == "a@example.org")
    }

    /// Quoted, 64 bytes is the bound with what is escaped, and one byte that is escaped for nothing counts when it is typed.
    @Test func quotedLengthsAreBounded() throws {
        func quoted(_ content: String) -> String { "\"" + content + "\"@example.org" }
        let spaces = String(repeating: " ", count: 62)
        #expect(try EmailAddress(quoted(spaces)).text == quoted(spaces))
        #expect(throws: EmailAddress.Mistake.localPart) { try EmailAddress(quoted(spaces + " ")) }
        let escaped = String(repeating: "\\\\", count: 31)
        #expect(try EmailAddress(quoted(escaped)).text == quoted(escaped))
        #expect(throws: EmailAddress.Mistake.localPart) { try EmailAddress(quoted(escaped + " ")) }
    }

    /// Whatever is typed, reading it again changes nothing, and no byte that mail cannot carry comes through.
    @Test func randomTextsAreReadAlike() {
        let pieces = [
            "a", "Z", "9", ".", "@", "\"", "\\", " ", "-", "_", "xn--", "\u{0}", "\n", "\u{E9}", "e\u{301}", "\u{FF0E}",
            "\u{3002}",
            "\u{200D}", "\u{202E}", "\u{212A}", "\u{DF}", "example", ".org", "[", "]", "(", ")", "<", ">", ",", ";",
            ":", "\u{1F600}",
        ]
        var accepted = 0
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let head = (0..<Int.random(in: 0...6, using: &generator)).compactMap { _ in
                pieces.randomElement(using: &generator)
            }
            let tail = Bool.random(using: &generator) ? "@example.org" : ""
            guard let address = try? EmailAddress(head.joined() + tail) else { continue }
            accepted += 1
            #expect((try? EmailAddress(address.text)) == address, "\(address.text.debugDescription)")
            #expect(address.text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            #expect(address.key == address.text.lowercased())
        }
        #expect(accepted > 100)
    }
}
