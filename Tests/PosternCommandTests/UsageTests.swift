import Foundation
import Testing

/// Every mistake on a command line ends with status 2, a message and a hint on standard error, and no output.
@Suite struct UsageTests {
    private static let verify = ["verify", "--audience", "a", "--no-nonce", "--keys", "/dev/null"]

    private static let mistakes: [(arguments: [String], message: String, hint: String)] = [
        ([], "a command is missing", "postern --help"),
        (["bogus"], "no command 'bogus'\n", "postern --help"),
        (["verfy"], "no command 'verfy'; is 'verify' meant?", "postern --help"),
        (["users", "lst"], "; is 'users list' meant?", "postern --help"),
        (["keys"], "keys show", "postern --help"),
        (["keys", "bogus"], "keys show", "postern --help"),
        (["--bogus"], "no option '--bogus'", "postern --help"),
        // A token or a nonce in the wrong place is not repeated.
        (["verify\u{1B}[2J"], "no such command", "postern --help"),
        (["eyJhbGciOiJSUzI1NiJ9.e30.AA"], "no such command", "postern --help"),
        (["help", "bogus"], "no command 'bogus'", "postern help --help"),
        (["help", "nonce", "nonce"], "one command", "postern help --help"),
        (["nonce", "abc"], "--check", "postern nonce --help"),
        (["nonce", "--check", "abc"], "HEX is missing", "postern nonce --help"),
        (["nonce", "--check", "abc", "x", "y"], "too many", "postern nonce --help"),
        (["nonce", "--check"], "--check needs a value", "postern nonce --help"),
        (["inspect", "a", "b"], "too many", "postern inspect --help"),
        (["inspect", "--format", "xml", "a"], "text or json", "postern inspect --help"),
        (["inspect", "--format", "json", "--format", "json", "a"], "twice", "postern inspect --help"),
        (["keys", "show"], "FILE", "postern keys show --help"),
        (["keys", "show", "a", "b"], "too many", "postern keys show --help"),
        (["vectors"], "PATH", "postern vectors --help"),
        (["verify", "--keys", "k", "--no-nonce", "t"], "--audience is missing", "postern verify --help"),
        (["verify", "--audience", "a", "--keys", "k", "t"], "--no-nonce is missing", "postern verify --help"),
        (["verify"], "for; --nonce, --nonce-plain or --no-nonce is missing", "postern verify --help"),
        (["verify"], "--audience is missing", "postern verify --help"),
        (
            ["verify", "--audience", "a", "--keys", "k", "--nonce", "", "t"], "--nonce is empty",
            "postern verify --help"
        ),
        (["verify", "--audience", "a", "--keys", "k", "--nonce-plain=", "t"], "is empty", "postern verify --help"),
    ]

    /// What follows a command line that would do, and a part of the complaint about it.
    private static let additions: [(arguments: [String], message: String)] = [
        (["--bogus"], "no option '--bogus'"), (["--nonse=secret"], "no option '--nonse'; is --nonce meant?\n"),
        (["-x"], "no option '-x'"),
        (["-é"], "no option"), (["--no"], "--no-nonce, --notification"), (["--notification=1"], "takes no value"),
        (["--code"], "--code needs a value"), (["t", "u"], "too many arguments"),
        (["--", "t", "--no-nonce"], "too many"),
        (["--nonce", "x"], "exclude each other"), (["--nonce-plain", "x"], "exclude each other"),
        (["--no-nonce"], "twice"), (["--notification"], "no nonce"), (["--keys", "other"], "twice"),
        (["--provider", "Apple"], "--provider takes"), (["--provider", ""], "--provider takes"),
        (["--provider", "google", "--provider", "google"], "twice"),
        (["--issuer", "x"], "pinned"), (["--provider", "google", "--issuer", "x"], "pinned"),
        (["--provider", "oidc"], "--issuer is missing"),
        (["--provider", "oidc", "--issuer", ""], "issuer"),
        (["--provider", "oidc", "--issuer", "https://appleid.apple.com"], "provider of its own"),
        (["--tenant", "common"], "only for --provider microsoft"),
        (["--provider", "microsoft"], "--tenant is missing"),
        (["--provider", "microsoft", "--tenant", "COMMON"], "tenant"),
        (["--provider", "firebase", "--audience", "b"], "one --audience"),
        (["--provider", "firebase", "--presenter", "p"], "--presenter"),
        (["--provider", "google", "--presenter", ""], "presenter"),
        (["--algorithm", "RS256"], "--algorithm is only"), (["--provider", "google", "--algorithm", "RS256"], "only"),
        (["--provider", "oidc", "--issuer", "i", "--algorithm", "none"], "--algorithm takes"),
        (["--provider", "oidc", "--issuer", "i", "--algorithm", "HS256"], "--algorithm takes"),
        (["--audience", ""], "empty"), (["--audience", "a"], "twice"),
        (["--leeway", "301"], "300"), (["--leeway", "-1"], "seconds"), (["--leeway", "1.5"], "seconds"),
        (["--leeway", "99999999999999999999"], "seconds"), (["--leeway", ""], "seconds"),
        (["--leeway", "١"], "seconds"),
        (["--max-age", "0"], "age"), (["--max-age", "-1"], "seconds or none"),
        (["--max-age", "None"], "seconds or none"),
        (["--max-age", "999999999999999999"], "age"), (["--max-age", "9223372036854775808"], "seconds or none"),
        (["--ca-file", "/dev/null"], "no meaning with a key file"), (["--insecure-loopback"], "no meaning"),
        (["--proxy", "http://127.0.0.1:1"], "no meaning with a key file"), (["--proxy"], "--proxy needs a value"),
        (["--format", "JSON"], "text or json"), (["--format"], "--format needs a value"),
    ]

    @Test(arguments: mistakes.indices)
    func mistake(_ index: Int) throws {
        let mistake = Self.mistakes[index]
        let answer = try Invocation.run(mistake.arguments)
        #expect(answer.status == 2)
        #expect(answer.output.isEmpty)
        #expect(answer.complaint.hasPrefix("postern: "))
        #expect(answer.complaint.contains(mistake.message), "\(answer.complaint)")
        #expect(answer.complaint.hasSuffix("Try '\(mistake.hint)' for more information.\n"), "\(answer.complaint)")
    }

    @Test(arguments: additions.indices)
    func addition(_ index: Int) throws {
        let addition = Self.additions[index]
        let answer = try Invocation.run(Self.verify + addition.arguments)
        #expect(answer.status == 2, "\(addition.arguments)")
        #expect(answer.output.isEmpty)
        #expect(answer.complaint.contains(addition.message), "\(addition.arguments): \(answer.complaint)")
        #expect(answer.complaint.hasSuffix("Try 'postern verify --help' for more information.\n"))
    }

    @Test(arguments: [
        ["--code", "c"], ["--access-token", "t"], ["--max-age", "60"], ["--nonce", "n"], ["--nonce-plain", "n"],
        ["--no-nonce"],
    ])
    func nothingIsPromisedForNotifications(_ options: [String]) throws {
        let common = ["verify", "--audience", "a", "--notification", "--keys", "/dev/null", "t"]
        let answer = try Invocation.run(common + options)
        #expect(answer.status == 2)
        #expect(answer.complaint.contains(options[0]), "\(answer.complaint)")
    }

    @Test func onlyAppleSendsNotifications() throws {
        let common = ["verify", "--audience", "a", "--notification", "--keys", "/dev/null", "t"]
        let answer = try Invocation.run(common + ["--provider", "google"])
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("google sends no notifications"))
    }

    @Test(arguments: [("1790000000000", true), ("1099511627776", true), ("1.5", false), ("99999999999999999", false)])
    func millisecondsAreTold(_ time: String, _ isTold: Bool) throws {
        let answer = try Invocation.run(Self.verify + ["--at", time, "t"])
        #expect(answer.complaint.contains("milliseconds") == isTold)
    }

    /// A value in the wrong place may be a secret: no more than its beginning is shown.
    @Test(arguments: ["--provider", "--format", "--at", "--leeway", "--max-age", "--algorithm"])
    func misplacedValuesAreCut(_ option: String) throws {
        let secret = "s3cr3t-of-more-than-sixteen-characters"
        let common = ["verify", "--audience", "a", "--no-nonce", "--keys", "/dev/null", "t"]
        let answer = try Invocation.run(common + [option, secret])
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("\"s3cr3t-of-more-t…\""), "\(answer.complaint)")
    }

    @Test func nothingSteersTheTerminal() throws {
        for issuer in ["https://securetoken.google.com/\u{1B}[2J\u{7}", "https://login.microsoftonline.com/\n9 passed"]
        {
            let answer = try Invocation.run(
                [
                    "verify", "--provider", "oidc", "--issuer", issuer, "--audience", "a", "--no-nonce", "--keys", "k",
                    "t",
                ])
            #expect(answer.status == 2)
            #expect(answer.complaint.split(separator: "\n").count == 2)
            #expect(!answer.complaint.utf8.contains { $0 < 0x20 && $0 != 0x0A })
        }
    }

    @Test func noSecretIsRepeated() throws {
        let token = "eyJ" + String(repeating: "a", count: 60) + ".e30.AA"
        let vectors = try Invocation.run(["vectors", token])
        #expect(vectors.status == 2 && vectors.output.isEmpty && !vectors.complaint.contains("eyJ"))
        let answer = try Invocation.run(Self.verify + ["secret.token.one", "secret.token.two"])
        #expect(answer.status == 2)
        #expect(!answer.complaint.contains("secret"))
    }

    @Test func textThatIsNotUTF8IsNotRepaired() throws {
        for option in ["--audience", "--nonce", "--provider", "--at", "--leeway", "--format", "--code"] {
            let line = #""$0" verify --audience a --keys /dev/null "$1" "$(printf '\377')" t $2"#
            let answer = try Invocation.shell(line, [option] + (option == "--nonce" ? [] : ["--no-nonce"]))
            #expect(answer.status == 2)
            #expect(answer.complaint.contains("\(option) is not UTF-8"), "\(option): \(answer.complaint)")
        }
    }

    @Test(arguments: [
        "0", "1790000000", "1099511627775", "1970-01-01T00:00:00Z", "2026-09-21T14:13:20Z", "2026-09-21t14:13:20z",
        "2026-09-21 14:13:20.999999999999999999999999Z", "2026-09-21T16:13:20+02:00", "2026-09-21T14:13:20-00:00",
        "2024-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2016-12-31T23:59:60Z", "2017-01-01T01:59:60+02:00",
        "9999-12-31T23:59:59Z", "1969-12-31T23:59:59-23:59",
    ])
    func timesThatAreTaken(_ time: String) throws {
        // The empty key file is looked at only once the options are right.
        let answer = try Invocation.run(Self.verify + ["--at", time, "t"])
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("key file"), "\(answer.complaint)")
    }

    @Test(arguments: [
        "", " ", "now", "-1", "+1", "1.5", "1e9", "0x10", "1099511627776", "9223372036854775807", "9223372036854775808",
        "99999999999999999999999999999999", "１７９", "2026-09-21", "2026-09-21T14:13:20", "2026-09-21T14:13Z",
        "2026-09-21T14:13:20.Z", "2026-09-21T14:13:20,5Z", "2026-9-21T14:13:20Z", "2026-09-21T14:13:20+0200",
        "2026-09-21T14:13:20+24:00", "2026-09-21T14:13:20+02:60", "2026-09-21T14:13:20Z ", "2026-00-21T14:13:20Z",
        "2026-13-21T14:13:20Z", "2026-09-31T14:13:20Z", "2026-09-00T14:13:20Z", "2023-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z", "2026-09-21T24:00:00Z", "2026-09-21T14:60:20Z", "2026-09-21T14:13:61Z",
        "2026-09-21T14:13:60Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "0000-01-01T00:00:00Z",
        "2026-09-21T14:13:20ZZ", "2026-09-21T14:13:20\u{301}Z", "-026-09-21T14:13:20Z",
    ])
    func timesThatAreRefused(_ time: String) throws {
        let answer = try Invocation.run(Self.verify + ["--at", time, "t"])
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("--at takes"), "\(answer.complaint)")
    }
}
