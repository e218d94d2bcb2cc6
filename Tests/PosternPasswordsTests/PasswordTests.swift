import PosternPasswords
import Testing

@Suite struct PasswordTests {
    /// Every way in which Swift prints a value.
    private static func prints(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), String(reflecting: [value]), dumped]
    }

    @Test func nothingOfItIsPrinted() throws {
        let password = try #require(Password("correct horse battery"))
        for value in [password, try password.normalized(), [password], Optional(password) as Any] as [Any] {
            for text in Self.prints(value) { #expect(!text.contains("horse") && !text.contains("99, 111")) }
        }
        for sample in StoredSample.cheap {
            let hash = try StoredPasswordHash(parsing: sample.hash)
            let end = String(sample.hash.suffix(12))
            for value in [hash, hash.scheme, [hash], Optional(hash) as Any] as [Any] {
                for text in Self.prints(value) {
                    #expect(!text.contains(end) && !text.contains("sk=") && !text.contains("[0x"), "\(text)")
                }
                // Nor as a list of numbers, which is how bytes are printed.
                for text in Self.prints(value) { #expect(text.matches(of: /\d+, \d+, \d+/).isEmpty, "\(text)") }
            }
        }
        let parameters = try FirebaseScryptParameters(
            signerKey: "AAECAwQFBgcICQoLDA0ODw==", saltSeparator: "Bw==", rounds: 8, memoryCost: 4)
        for text in Self.prints(parameters) { #expect(!text.contains("AAEC")) }
    }

    @Test func lengthIsBounded() {
        #expect(Password(String(repeating: "a", count: 4_096)) != nil)
        #expect(Password(String(repeating: "a", count: 4_097)) == nil)
        #expect(Password(utf8: Array(repeating: 0x61, count: 4_096)) != nil)
        #expect(Password(utf8: Array(repeating: 0x61, count: 4_097)) == nil)
        #expect(Password(String(repeating: "é", count: 2_048)) != nil)
        #expect(Password(String(repeating: "é", count: 2_049)) == nil)
        #expect(Password("") != nil && Password(utf8: []) != nil)
    }

    @Test(
        arguments: [
            [0x80], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0x61, 0xE2, 0x82], [0xE2, 0x82, 0x61],
            [0xFE, 0xFF],
        ] as [[UInt8]])
    func onlyUTF8IsTaken(bytes: [UInt8]) { #expect(Password(utf8: bytes) == nil) }

    @Test(arguments: [
        ("", 0), ("password", 8), ("\0", 1), ("é", 1), ("e\u{301}", 1), ("\u{1F511}", 1),
        ("\u{1100}\u{1161}\u{11A8}", 1),
        ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 5), ("\u{FB01}", 1), ("\u{212B}", 1), ("q\u{323}\u{307}", 3),
        ("\u{0958}", 2), ("\u{1D15E}", 2), ("\r\n", 2),
    ])
    func charactersAreScalarsAfterNormalization(text: String, count: Int) throws {
        #expect(try #require(Password(text)).normalized().scalarCount == count)
    }

    /// The longest that can be is normalized whole: each scalar becomes three here.
    @Test func whatGrowsHasRoom() throws {
        let password = try #require(Password(String(repeating: "\u{1D160}", count: 1_024)))
        #expect(try password.normalized().scalarCount == 3_072)
        let other = try #require(Password(String(repeating: "\u{0390}", count: 2_048)))
        #expect(try other.normalized().scalarCount == 2_048)
        // Marks in the wrong order, as many as there can be.
        let marks = try #require(Password("a" + String(repeating: "\u{301}\u{323}", count: 1_023)))
        #expect(try marks.normalized().scalarCount == 2_046)
    }
}
