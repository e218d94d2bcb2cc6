import Foundation
import PosternTestSupport
import Testing

/// The words in which settings are refused.
@Suite struct SettingsWordsTests {
    private static func whole(_ provider: String = SettingsRun.apple, _ more: String = "") -> String {
        #"{"providers":[\#(provider)],"listeners":[\#(SettingsRun.unix)]\#(more)}"#
    }

    private static func audience(_ members: String) -> String {
        whole(#"{"provider":"apple","audiences":[{\#(members)}]}"#)
    }

    private static let rows: [(settings: String, message: String)] = [
        // A word of a list: the nearest, and all.
        (
            whole(#"{"provider":"gogle","audiences":[]}"#),
            #"must be one of apple, google, microsoft, facebook, firebase, oidc, not "gogle": is google meant?"#
        ),
        (
            whole(SettingsRun.apple, #","log":{"level":"warn"}"#),
            #"log.level must be one of info, warning, error, not "warn": is warning meant?"#
        ),
        (
            audience(#""client_id":"a","nonce":"hash""#),
            #"nonce must be one of issued, hashed, plain, unchecked, not "hash": is hashed meant?"#
        ),
        // JSON: what stands there, and what should.
        ("{\"providers\" []}", #"FILE:1:14: an unexpected character: "[" instead of a colon"#),
        ("{providers: []}", #"FILE:1:2: an unexpected character: "p" instead of a name in double quotes"#),
        ("{\"providers\": [{} {}]}", #"an unexpected character: "{" instead of a comma or the end of the array, ]"#),
        ("{\"a\": 1 \"b\": 2}", #"instead of a comma or the end of the object, }"#),
        ("{\"a\": tru}", #"FILE:1:10: an unexpected character: "}" instead of true, false or null"#),
        ("{\"a\": 'b'}", #"an unexpected character: "'" instead of a value: a text in double quotes"#),
        ("{\"a\": \u{201C}b\u{201D}}", "an unexpected character: \"\u{201C}\" instead of a value"),
        ("{\"a\": \u{1B}[2J}", #"an unexpected character: "\u{1B}" instead of a value"#),
        ("{\"a\": \"b\nc\"}", #"a control character in a string: "\u{A}""#),
        ("{} x", #"FILE:1:4: something after the value: "x""#),
        // As flags write it.
        (
            whole(SettingsRun.apple, #","limits.connections":100"#),
            #"there is no setting "limits.connections" here: write "limits": { "connections": … }"#
        ),
        (
            whole(SettingsRun.apple, #","accounts.sessions.inactivity":100"#),
            #"write "accounts": { "sessions": { "inactivity": … } }"#
        ),
        (
            whole(SettingsRun.apple, #","accounts":{"sessions.inactivity":100}"#),
            #"in accounts: write "sessions": { "inactivity": … }"#
        ),
        (whole(SettingsRun.apple, #","limits.conections":100"#), #"no setting "limits.conections" here"#),
        (
            whole(
                #"{"provider":"oidc","issuer":"https://a.example","keys":"HTTPS://a.example/","audiences":[{"client_id":"a","nonce":"issued"}]}"#
            ), "or a URL, which begins with https:// in small letters"
        ),
        (
            whole(
                #"{"provider":"oidc","issuer":"https://a.example","keys":"ftp://a.example/","audiences":[{"client_id":"a","nonce":"issued"}]}"#
            ), "or a URL, which begins with https://"
        ),
        // What helps is named as the settings call it.
        (
            whole(
                #"{"provider":"oidc","issuer":"http://127.0.0.1:1","audiences":[{"client_id":"a","nonce":"issued"}]}"#),
            "insecure_loopback allows it, for tests"
        ),
    ]

    @Test(arguments: rows.indices)
    func whatIsSaid(_ index: Int) throws {
        let (settings, message) = Self.rows[index]
        let run = try SettingsRun.run(["check-config"], settings)
        #expect(run.status == 1 && run.text.contains(message), "\(settings): \(run.text)")
    }

    /// A file of another program's alphabet: the byte is told, not what the reader stumbled over.
    @Test(arguments: [
        ("{ // M\u{FC}nchen\n}", "FILE:1:7: the file is not UTF-8: the byte 0xfc is no character here."),
        ("{\n \"a\": \"\u{E9}\" }", "FILE:2:8: the file is not UTF-8: the byte 0xe9"),
        ("\u{FF}\u{FE}{", "FILE:1:1: the file is not UTF-8: the byte 0xff"),
        ("{ x // \u{C3}", "FILE:1:8: the file is not UTF-8: the byte 0xc3"),
    ])
    func otherEncodings(_ text: String, _ message: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: #require(text.data(using: .isoLatin1)), called: "settings.json")
        let run = try Invocation.run(["check-config", "--config", file.path])
        let said = run.text.replacingOccurrences(of: file.path, with: "FILE")
        #expect(run.status == 1 && said.contains(message), "\(said)")
        // The same characters as UTF-8 are good in a comment, and what is wrong besides is told.
        let whole = try SettingsRun.run(["check-config"], text)
        #expect(!whole.text.contains("not UTF-8"), "\(whole.text)")
    }

    /// What came along when a client ID was copied would match no token, whoever the provider is.
    @Test(arguments: ["apple", "google", "microsoft", "facebook", "firebase", "oidc"])
    func clientIDs(_ provider: String) throws {
        let more = ["microsoft": #""tenant":"common","#, "oidc": #""issuer":"https://a.example","#][provider] ?? ""
        func fault(_ clientID: String) throws -> String {
            let name = String(decoding: try JSONEncoder().encode(clientID), as: UTF8.self)
            let run = try SettingsRun.run(
                ["check-config"],
                Self.whole(
                    #"{"provider":"\#(provider)",\#(more)"audiences":[{"client_id":\#(name),"nonce":"unchecked"}]}"#))
            #expect(run.status == (run.text == SettingsRun.areGood ? 0 : 1))
            return run.text
        }
        for good in ["a", "com.example app", "\u{E9}", String(repeating: "a", count: 512)] {
            #expect(try fault(good) == SettingsRun.areGood, "\(good)")
        }
        for spaced in [" a", "a ", "a\n", "\ta", "a\u{A0}", "\u{3000}a", " "] {
            #expect(try fault(spaced).contains("audiences[0].client_id begins or ends with a space"), "\(spaced)")
        }
        for unseen in ["a\u{0}b", "a\u{7F}", "a\nb", "\u{FEFF}a", "a\u{200B}", "a\u{85}b", "a\u{2028}b"] {
            #expect(try fault(unseen).contains("client_id holds a character that is not seen"), "\(unseen)")
        }
        #expect(try fault(String(repeating: "a", count: 513)).contains("client_id is longer than 512 bytes"))
    }

    /// The owner of a socket must be able to connect, be it for the doctor alone.
    @Test(arguments: [
        ("0000", false), ("0060", false), ("0400", false), ("260", false), ("0600", true), ("0660", true),
        ("700", true),
    ])
    func modes(_ mode: String, _ isGood: Bool) throws {
        let settings = SettingsRun.good().replacingOccurrences(of: #"p.sock""#, with: #"p.sock","mode":"\#(mode)""#)
        let run = try SettingsRun.run(["check-config"], settings)
        #expect(run.status == (isGood ? 0 : 1))
        #expect(run.text.contains("listeners[0].mode does not let the owner of the socket connect") != isGood)
    }

    /// A key of a caller that was pasted where its name belongs: refused, and not repeated.
    @Test(arguments: ["name", "credential"], ["", " ", "Bearer ", "x"])
    func keysInThePlaceOfNames(_ member: String, _ before: String) throws {
        let key = try #require(try Invocation.run(["api-key", "--format", "json"]).json()["key"] as? String)
        let text = "\"\(before)\(key)\""
        let members = member == "name" ? #""name":\#(text),"sha256":"x""# : #""name":"a","credential":\#(text)"#
        for command in [["check-config"], ["serve"], ["config", "--effective"], ["check-config", "--format", "json"]] {
            let run = try SettingsRun.run(command, Self.whole(SettingsRun.apple, #","api_keys":[{\#(members)}]"#))
            let said = run.text + run.complaint
            #expect(run.status != 0 && said.contains("api_keys[0].\(member) is an API key itself"), "\(said)")
            #expect(!said.contains(key.dropFirst(8)), "\(command)")
        }
        let good = String(repeating: "ab", count: 32)
        let settings = Self.whole(SettingsRun.apple, #","api_keys":[{"name":"postern_backend","sha256":"\#(good)"}]"#)
        #expect(try SettingsRun.run(["check-config"], settings).status == 0)
    }

    /// Messages about settings never speak of options.
    @Test func settingsAreNoOptions() throws {
        for settings in (SettingsTests.mistakes + Self.rows).map(\.settings) {
            let words = try SettingsRun.run(["check-config"], settings).text
            #expect(
                ["--ca-file", "--proxy", "--issuer", "--keys", "--insecure", "caFile"].allSatisfy {
                    !words.contains($0)
                })
        }
    }

    /// A key that stands where a name should is not repeated, wherever it was put; a slip is.
    @Test(arguments: [
        ("postern_3q2-7wTq0nUoVYc1XvJ5b8hRk9LmZaEd", "post…"), ("0123456789abcdef0123456789abcdef", "0123…"),
        ("hunter2hunter2", "hunt…"), ("correct horse battery staple", "corr…"),
        (String(repeating: "k", count: 25), "kkkk…"),
        ("conections", "conections"), ("something_else", "something_else"),
    ])
    func namesThatMayBeSecret(_ name: String, _ shown: String) throws {
        let json = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
        let inFile = try SettingsRun.run(["check-config"], SettingsRun.good(",\"limits\":{\(json):1}"))
        #expect(inFile.text.contains("there is no setting \"\(shown)\" in limits"), "\(inFile.text)")
        let flag = try SettingsRun.run(["check-config"], SettingsRun.good(), ["--set", "\(name)=1"])
        let variable = try SettingsRun.run(
            ["check-config"], SettingsRun.good(), [], ["POSTERN_\(name.uppercased())": "1"])
        let all = inFile.text + flag.text + flag.complaint + variable.text + variable.complaint
        #expect(inFile.status == 1 && flag.status != 0 && variable.status == 1, "\(all)")
        let secret = name.dropFirst(shown.count + 7).lowercased()
        #expect(secret.count < 4 || !all.lowercased().contains(secret), "\(all)")
    }
}
