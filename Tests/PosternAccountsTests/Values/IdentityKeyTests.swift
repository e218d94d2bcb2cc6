import PosternAccounts
import PosternTokens
import Testing

@Suite struct IdentityKeyTests {
    private static func key(_ provider: String, _ issuer: String, _ subject: [UInt8]) -> IdentityKey {
        IdentityKey(provider: provider, issuer: issuer, subject: Subject(subject))
    }

    /// Swift holds some of these texts for the same.
    private static let keys = [
        key("p", "i", []), key("p", "i", [0]), key("p", "i", [0, 0]), key("p", "i", [0xC3, 0xA9]),
        key("p", "i", [0x65, 0xCC, 0x81]), key("p", "i", [0x61]), key("p", "i", [0x41]), key("p", "i", [0xFF]),
        key("\u{E9}", "i", [1]), key("e\u{301}", "i", [1]), key("P", "i", [1]), key("p", "i", [1]), key("p", "I", [1]),
        key("p", "\u{E9}", [1]), key("p", "e\u{301}", [1]), key("p", "\u{212B}", [1]), key("p", "\u{C5}", [1]),
        key("p", "i/", [1]), key("p", "i\u{0}", [1]), key("", "pi", [1]), key("pi", "", [1]), key("p", "", [0x69, 1]),
    ]

    @Test func twoAreOneWhenAllTheirBytesAre() {
        for (one, key) in Self.keys.enumerated() {
            for (other, second) in Self.keys.enumerated() {
                #expect((key == second) == (one == other), "\(one), \(other)")
            }
            let copy = IdentityKey(provider: key.provider, issuer: key.issuer, subject: Subject(key.subject.bytes))
            #expect(copy == key)
            #expect(copy.hashValue == key.hashValue)
        }
    }

    @Test func eachHasAPlaceOfItsOwn() {
        let places = Dictionary(Self.keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        #expect(places.count == Self.keys.count)
        for (index, key) in Self.keys.enumerated() { #expect(places[key] == index) }
    }
}
