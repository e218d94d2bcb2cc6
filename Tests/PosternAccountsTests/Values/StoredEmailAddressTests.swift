import PosternAccounts
import PosternBase
import Testing

/// What a store gives back is read in a shorter way, which takes nothing that the long one would not.
@Suite struct StoredEmailAddressTests {
    private static let letters = [
        "a", "B", "7", ".", "-", "--", "@", "_", "+", "\"", " ", "xn--", "x", "\u{0}", "\u{E9}", "!", "com",
    ]

    @Test func theShortWayAgreesWithTheLong() {
        var texts = [
            "a@b.c", "A.b@c.de", "a@b", "a@b.1", "a@1.b1", "a@b.c-", "a@-b.c", "a..b@c.de", ".a@b.c", "a.@b.c",
        ]
        for one in Self.letters {
            for two in Self.letters {
                for three in Self.letters {
                    texts += [
                        "\(one)\(two)\(three)@b.c", "a@\(one)\(two)\(three)", "a@\(one)\(two)\(three).c",
                        "a@b.\(one)\(two)\(three)",
                    ]
                }
            }
        }
        for count in [62, 63, 64, 65] {
            let long = String(repeating: "a", count: count)
            texts += [
                "\(long)@b.c", "a@\(long).c", "a@b.\(long)", "a@\(long).\(long).\(long).\(long)",
                "a@\(long).\(long).\(long).aa",
            ]
        }
        for text in texts {
            let long = (try? EmailAddress(text)).flatMap { $0.text.isSameBytes(as: text) ? $0 : nil }
            let stored = EmailAddress(stored: text)
            #expect(stored?.text == long?.text && stored?.key == long?.key, "\(text.debugDescription)")
        }
    }
}
