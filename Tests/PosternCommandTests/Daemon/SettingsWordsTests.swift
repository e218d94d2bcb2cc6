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
