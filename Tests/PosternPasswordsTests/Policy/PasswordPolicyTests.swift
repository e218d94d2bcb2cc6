import Foundation
import PosternPasswords
import Testing

@Suite struct PasswordPolicyTests {
    /// The reason why a policy does not take it; nil when it does.
    private static func rejection(
        _ text: String,
        email: String? = nil,
        _ policy: PasswordPolicy = PasswordPolicy(blocklist: nil)
    ) throws -> PasswordRejection? {
        let password = try #require(Password(text))
        do throws(PasswordPolicyError) {
            _ = try policy.accept(password, email: email)
            return nil
        } catch {
            guard case .rejected(let rejection) = error else { throw error }
            return rejection
        }
    }

    private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test(arguments: [
        ("", PasswordRejection.tooShort(minimum: 8)), ("1234567", .tooShort(minimum: 8)), ("12345678", nil),
        (many("a", 256), nil), (many("a", 257), .tooLong(maximum: 256)), (many("\u{1F511}", 7), .tooShort(minimum: 8)),
        (many("\u{1F511}", 8), nil), (many("\u{1F511}", 256), nil), (many("\u{1F511}", 257), .tooLong(maximum: 256)),
        // Eight scalars that are seven after normalization, and 512 that are 256.
        ("123456e\u{301}", .tooShort(minimum: 8)), ("1234567e\u{301}", nil), (many("e\u{301}", 256), nil),
        (many("e\u{301}", 257), .tooLong(maximum: 256)), ("1234567\0", .holdsNUL), ("\0" + many("a", 20), .holdsNUL),
        ("        ", nil),
        ("\u{1}\u{2}\u{3}\n\r\t45678", nil),
    ])
    func lengthAndLetters(text: String, rejection: PasswordRejection?) throws {
        #expect(try Self.rejection(text) == rejection)
    }

    @Test(arguments: [
        (12...16, 12, 16), (1...1, 1, 1), (0...5_000, 1, 1_024), (-5...0, 1, 1), (2_000...3_000, 1_024, 1_024),
    ])
    func boundsAreASetting(range: ClosedRange<Int>, least: Int, most: Int) throws {
        let policy = PasswordPolicy(characters: range, blocklist: nil)
        if least > 1 { #expect(try Self.rejection(Self.many("x", least - 1), policy) == .tooShort(minimum: least)) }
        #expect(try Self.rejection(Self.many("x", least), policy) == nil)
        #expect(try Self.rejection(Self.many("x", most), policy) == nil)
        #expect(try Self.rejection(Self.many("x", most + 1), policy) == .tooLong(maximum: most))
    }

    private static func rejection(_ text: String, _ policy: PasswordPolicy) throws -> PasswordRejection? {
        try rejection(text, email: nil, policy)
    }

    @Test(arguments: [
        ("somebody@example.com", true), ("SomeBody@Example.COM", true), ("somebody", true), ("SOMEBODY", true),
        ("example.com", true),
        ("somebody@", false), ("@example.com", false), ("somebody1", false), ("xsomebody", false),
        ("example.org", false),
        ("ｓｏｍｅｂｏｄｙ", true),
    ])
    func notTheAddress(text: String, isRejected: Bool) throws {
        #expect(try Self.rejection(text, email: "Somebody@example.com") == (isRejected ? .likeEmail : nil))
        #expect(try Self.rejection(text) == nil)
    }

    @Test(arguments: [
        ("somebody+shop@example.com", "somebody", true), ("somebody+shop@example.com", "somebody+shop", true),
        ("somebody+shop@example.com", "shop@example.com", false), ("no-address-at-all", "no-address-at-all", true),
        ("\"some@body\"@example.com", "\"some@body\"", true), ("@", "somebody", false),
        ("+@example.com", "somebody", false),
        ("", "somebody", false), ("jürgen-m@example.com", "JÜRGEN-M", true),
        ("jürgen-m@example.com", "ju\u{308}rgen-m", true),
    ])
    func tagsAndOddAddresses(email: String, text: String, isRejected: Bool) throws {
        #expect(try Self.rejection(text, email: email) == (isRejected ? .likeEmail : nil))
    }

    @Test func whatIsListedIsNotTaken() throws {
        let folder = try Folder()
        let file = try folder.write("list", "password1\nGroßbuchstaben\nfinaliste\n")
        let policy = PasswordPolicy(blocklist: try Blocklist(files: [file]))
        for text in [
            "password1", "PASSWORD1", "PassWord1", "grossbuchstaben", "GROSSBUCHSTABEN", "ﬁnaliste", "ｐａｓｓｗｏｒｄ１",
        ] {
            #expect(try Self.rejection(text, email: nil, policy) == .listed, "\(text)")
        }
        for text in ["password11", "password", " password1", "password1 ", "großbuchstabe"] {
            #expect(try Self.rejection(text, email: nil, policy) == nil, "\(text)")
        }
    }

    @Test func theSameIsHashedAsWasTaken() throws {
        let policy = PasswordPolicy(blocklist: nil)
        let hasher = Argon2idHasher(.least)
        let hash = try hasher.hash(policy.accept(#require(Password("e\u{301}e\u{301}e\u{301}12345")), email: nil))
        #expect(try hasher.verify(#require(Password("ééé12345")), against: hash))
    }

    @Test func messagesSayWhatToDo() {
        for (rejection, part) in [
            (PasswordRejection.tooShort(minimum: 9), "at least 9"), (.tooLong(maximum: 77), "at most 77"),
            (.holdsNUL, "U+0000"),
            (.listed, "another"), (.likeEmail, "email address"),
        ] {
            #expect(rejection.message.contains(part))
        }
    }
}
