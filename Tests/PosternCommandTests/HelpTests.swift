import Foundation
import Testing

@Suite struct HelpTests {
    private static let settings = ["config FILE", "data DIR", "set NAME=VALUE"]

    private static let commands: [(words: [String], options: [String])] = [
        (
            ["verify"],
            [
                "provider NAME", "issuer ISS", "tenant T", "audience AUD", "presenter ID", "algorithm ALG", "nonce RAW",
                "nonce-plain VALUE", "no-nonce", "keys FILE|URL", "at UNIX|RFC3339", "leeway SECONDS",
                "max-age SECONDS|none",
                "code CODE", "access-token T", "notification", "ca-file FILE", "proxy URL", "insecure-loopback",
            ]
        ),
        (["inspect"], []), (["nonce"], ["check RAW"]), (["keys", "show"], []),
        (
            ["keys", "fetch"],
            ["provider NAME", "issuer ISS", "tenant T", "out FILE", "ca-file FILE", "proxy URL", "insecure-loopback"]
        ),
        (["keys", "master"], []), (["keys", "rotate"], settings + ["withdraw", "master-key FILE"]),
        (
            ["mint"],
            [
                "provider NAME", "issuer ISS", "tenant T", "audience AUD", "subject SUB", "nonce RAW",
                "nonce-plain VALUE", "code CODE", "access-token T", "at UNIX|RFC3339", "expires-in SECONDS",
                "notification TYPE", "claim NAME=JSON", "header NAME=JSON", "without NAME", "algorithm ALG", "kid ID",
                "key FILE", "keys-out FILE",
            ]
        ),
        (
            ["issuer"],
            [
                "port N", "socket PATH", "client ID[=URI]", "users FILE", "fault NAME", "slow-seconds SECONDS",
                "key FILE",
            ]
        ),
        (["serve"], settings + ["development DIR"]), (["check-config"], settings),
        (["config"], ["effective", "init"] + settings), (["settings"], []), (["events"], []),
        (["doctor"], settings + ["socket PATH", "offline", "master-key FILE"]), (["api-key"], []),
        (["users", "list"], settings + ["waiting", "after ID", "limit N"]), (["users", "show"], settings),
        (["users", "create"], settings + ["proven", "password FILE", "password-hash FILE"]),
        (["users", "confirm"], settings), (["users", "ban"], settings + ["until UNIX|RFC3339"]),
        (["users", "unban"], settings), (["users", "delete"], settings + ["yes"]),
        (["users", "sessions"], settings + ["end SESSION", "end-all"]), (["users", "export"], settings),
        (["audit"], settings + ["user USER", "before NUMBER", "limit N"]), (["backup"], settings),
        (["restore"], settings + ["yes"]),
        (["migrate"], settings + ["status"]), (["vectors"], []),
        (["manual"], []), (["completion"], []), (["help"], []),
    ]

    @Test func version() throws {
        let answer = try Invocation.run(["--version"])
        #expect(answer.status == 0)
        #expect(answer.text == "postern 0.1.0-dev\n")
        #expect(answer.complaint.isEmpty)
    }

    @Test func everyCommandIsListed() throws {
        let answer = try Invocation.run(["--help"])
        #expect(answer.status == 0)
        for command in Self.commands { #expect(answer.text.contains("\n  \(command.words.joined(separator: " ")) ")) }
        #expect(try Invocation.run(["help"]).text == answer.text)
    }

    @Test(arguments: commands.indices)
    func everyOptionIsListed(_ index: Int) throws {
        let (words, options) = Self.commands[index]
        let answer = try Invocation.run(words + ["--help"])
        #expect(answer.status == 0)
        #expect(answer.complaint.isEmpty)
        let listed = answer.text.split(separator: "\n").filter { $0.hasPrefix("  --") }.map { line in
            line.dropFirst(4).split(separator: "  ").first.map(String.init) ?? ""
        }
        #expect(listed == options + ["format FORMAT", "help"])
        #expect(answer.text.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 })
        #expect(try Invocation.run(["help"] + words).text == answer.text)
        // Each option that is listed is known to the parser.
        for option in options {
            let parts = option.split(separator: " ").map(String.init)
            let probe = try Invocation.run(words + ["--\(parts[0])\(parts.count > 1 ? "=x" : "")", "--help"])
            #expect(probe.status == 0, "\(option)")
        }
    }

    @Test func helpOfAGroup() throws {
        let text = try Invocation.run(["keys", "--help"]).text
        #expect(text.contains("keys show") && text.contains("keys fetch"))
        #expect(!text.contains("verify"))
        for words in [["keys", "-h"], ["help", "keys"]] {
            let answer = try Invocation.run(words)
            #expect(answer.status == 0)
            #expect(answer.text == text)
        }
        let missing = try Invocation.run(["keys", "frob"])
        #expect(missing.status == 2)
        #expect(
            missing.complaint.contains(
                "postern keys show or postern keys fetch or postern keys master or postern keys rotate"))
    }

    @Test(arguments: [[], ["verify"], ["keys", "show"], ["mint"]])
    func theShortOption(_ words: [String]) throws {
        #expect(try Invocation.run(words + ["-h"]).text == Invocation.run(words + ["--help"]).text)
    }

    /// What begins like an option is none: it may be one that writes a file.
    @Test func noAbbreviations() throws {
        let answer = try Invocation.run(["mint", "--keys", "/nonexistent/keys.json"])
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("no option '--keys'; there is --keys-out"))
        #expect(try Invocation.run(["mint", "--keys=x"]).complaint.contains("no option '--keys'; there is --keys-out"))
        #expect(try Invocation.run(["verify", "--hel"]).complaint.contains("there is --help"))
        // A value may look like an option.
        #expect(try Invocation.run(["nonce", "--check", "--form", "x"]).status == 1)
    }

    /// Nobody takes what the mint makes for real.
    @Test func theMintIsForTests() throws {
        let answer = try Invocation.run(["mint", "--help"])
        #expect(answer.text.contains("TEST token"))
        #expect(answer.text.contains("FOR TESTS ONLY."))
        #expect(try Invocation.run(["--help"]).text.contains("TEST token"))
    }

    @Test func helpAsJSON() throws {
        let json = try Invocation.run(["help", "--format", "json"]).json()
        let commands = try #require(json["commands"] as? [[String: Any]])
        #expect(commands.map { $0["command"] as? String } == Self.commands.map { $0.words.joined(separator: " ") })
    }

    @Test func whatStandsBeforeHelpIsLookedAt() throws {
        #expect(try Invocation.run(["verify", "--bogus", "--help"]).status == 2)
        #expect(try Invocation.run(["verify", "--help", "--bogus"]).status == 0)
    }
}
