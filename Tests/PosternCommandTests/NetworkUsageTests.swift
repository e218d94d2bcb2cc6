import Foundation
import Testing

/// Mistakes about where keys are to be fetched are found before anybody is asked.
@Suite struct NetworkUsageTests {
    private static let verify = ["verify", "--audience", "a", "--no-nonce", "t"]
    private static let fetch = ["keys", "fetch"]

    private static let mistakes: [(arguments: [String], message: String)] = [
        (verify + ["--keys", "http://example.com/keys"], "it is not https\n"),
        (verify + ["--keys", "http://example.com/keys", "--insecure-loopback"], "127.0.0.1 or [::1] only"),
        (verify + ["--keys", "http://127.0.0.1:1/"], "--insecure-loopback allows it"),
        (verify + ["--keys", "http://localhost:1/", "--insecure-loopback"], "127.0.0.1 or [::1] only"),
        (verify + ["--keys", "https://"], "host"), (verify + ["--keys", "https://user@host/"], "user name"),
        (verify + ["--keys", "https://a b/"], "character"), (verify + ["--keys", "https://host/#x"], "fragment"),
        (verify + ["--keys", "https://host:0/"], "port"), (verify + ["--keys", "https://h\u{1B}[2J/"], "character"),
        (verify + ["--proxy", "x"], "--proxy must be"),
        (verify + ["--proxy", "http://u:secret@p:1"], "--proxy must be"),
        (verify + ["--proxy", "http://p"], "--proxy must be"),
        (verify + ["--provider", "oidc", "--issuer", "issuer"], "cannot come from"),
        (verify + ["--provider", "oidc", "--issuer", "http://127.0.0.1:1"], "cannot come from"),
        (fetch + ["a", "b"], "too many"), (fetch + ["keys.json"], "https://"), (fetch + [""], "empty"),
        (fetch + ["http://example.com/"], "it is not https\n"), (fetch + ["http://[::1]:1/"], "--insecure-loopback"),
        (fetch + ["https://h/", "--provider", "google"], "--provider and URL exclude"),
        (fetch + ["https://h/", "--issuer", "https://i"], "--issuer and URL exclude"),
        (fetch + ["https://h/", "--tenant", "common"], "--tenant and URL exclude"),
        (fetch + ["--provider", "apple", "--issuer", "https://i"], "pinned"),
        (fetch + ["--provider", "oidc"], "--issuer is missing"), (fetch + ["--provider", "Apple"], "--provider takes"),
        (fetch + ["--issuer", "https://appleid.apple.com"], "provider of its own"),
        (fetch + ["--issuer", "i"], "cannot come from"), (fetch + ["--tenant", "common"], "only for"),
        (fetch + ["--provider", "microsoft", "--tenant", "X"], "tenant"), (fetch + ["--proxy", ""], "--proxy"),
    ]

    @Test(arguments: [
        verify + ["--keys", "https://user:SECRET@h/"], fetch + ["https://user:SECRET@h/"],
        fetch + ["--issuer", "https://user:SECRET@h"],
        verify + ["--provider", "oidc", "--issuer", "https://u:SECRET@h"],
    ])
    func passwordsAreNotRepeated(_ arguments: [String]) throws {
        let answer = try Invocation.run(arguments)
        #expect(answer.status == 2)
        #expect(!answer.complaint.contains("SECRET"), "\(answer.complaint)")
    }

    @Test(arguments: mistakes.indices)
    func mistake(_ index: Int) throws {
        let mistake = Self.mistakes[index]
        let answer = try Invocation.run(mistake.arguments)
        #expect(answer.status == 2, "\(mistake)")
        #expect(answer.output.isEmpty)
        #expect(answer.complaint.contains(mistake.message), "\(mistake.arguments): \(answer.complaint)")
        #expect(answer.complaint.hasSuffix("--help' for more information.\n"), "\(answer.complaint)")
        #expect(!answer.complaint.contains("secret") && !answer.complaint.contains("\u{1B}"))
    }

    @Test(arguments: [verify, fetch])
    func authoritiesThatCannotBeRead(_ command: [String]) throws {
        for file in ["/nonexistent", "/", ""] {
            let answer = try Invocation.run(command + ["--ca-file", file])
            #expect(answer.status == 2)
            #expect(answer.output.isEmpty)
            #expect(answer.complaint.hasPrefix("postern: --ca-file "), "\(answer.complaint)")
            #expect(!answer.complaint.contains("--help"), "the command line is right")
        }
    }

    @Test func aTokenInPlaceOfTheURLIsNotRepeated() throws {
        let answer = try Invocation.run(Self.fetch + ["eyJ" + String(repeating: "a", count: 60) + ".e30.AA"])
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("looks like a token") && !answer.complaint.contains("eyJ"))
    }
}
