import Foundation
import Glibc
import PosternTestSupport
import Testing

/// `postern check-config` and `postern config`.
@Suite struct CheckConfigTests {
    @Test func goodOnes() throws {
        let run = try SettingsRun.run(["check-config"], SettingsRun.good())
        #expect(run.status == 0 && run.text == SettingsRun.areGood && run.complaint.isEmpty)
        let json = try SettingsRun.run(["check-config", "--format", "json"], SettingsRun.good())
        let start = #"{"valid":true,"faults":[],"not_checked":[],"warnings":["#
        #expect(json.text.hasPrefix(start) && (geteuid() == 0 || json.text == start + "]}\n"))
    }

    /// Root is told that another user may be refused what root may do; nobody else is.
    @Test(arguments: [SettingsRun.good(), SettingsRun.good(",")])
    func rootIsWarned(_ settings: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(settings.utf8), called: "settings.json")
        let run = try Invocation.run(["check-config", "--config", file.path])
        let json = try Invocation.run(["check-config", "--format", "json", "--config", file.path]).json()
        let warnings = try #require(json["warnings"] as? [String])
        let isRoot = geteuid() == 0
        #expect(run.text.hasPrefix(SettingsRun.rootWarning) == isRoot && warnings.count == (isRoot ? 1 : 0))
        #expect(run.text.contains("runuser -u postern -- postern check-config") == isRoot)
        #expect(run.text.contains("takes what is that user's for a stranger's") == isRoot)
        for warning in warnings { #expect(run.text.hasPrefix("warning: \(warning)\n")) }
    }

    /// What may hold a password is never repeated, wherever settings are printed or refused.
    @Test(arguments: [
        #""keys":"https://me:hunter2@keys.example/set","#, #""proxy":"http://me:hunter2@proxy.example:3128","#,
        #""proxy":"http://me:hunter2@proxy example","#,
    ])
    func passwordsAreNotRepeated(_ member: String) throws {
        let settings = SettingsRun.good().replacingOccurrences(
            of: #"{"provider":"apple","#,
            with: #"{"provider":"oidc","name":"staff","issuer":"https://issuer.example",\#(member)"#)
        #expect(settings.contains("hunter2"))
        for command in [["check-config"], ["check-config", "--format", "json"], ["config", "--effective"], ["serve"]] {
            let run = try SettingsRun.run(command, settings)
            #expect(run.status != 0, "\(command)")
            #expect(!(run.text + run.complaint).contains("hunter2"), "\(command): \(run.text) \(run.complaint)")
        }
    }

    /// Settings are bounded, so that nobody waits for minutes to hear what is wrong with them.
    @Test func theirNumberIsBounded() throws {
        for count in [1_000, 60_000] {
            let users = (0..<count).map(String.init).joined(separator: "\",\"")
            let settings = SettingsRun.good().replacingOccurrences(
                of: #""listeners":[{"#, with: "\"listeners\":[{\"allow_users\":[\"\(users)\"],")
            #expect(settings.contains("allow_users"))
            let run = try SettingsRun.run(["check-config"], settings)
            let told = run.text + run.complaint
            #expect((run.status == 0) == (count == 1_000), "\(count): \(told.prefix(300))")
            #expect(count == 1_000 || told.contains("too many values"))
        }
    }

    /// Nobody waits for a pipe in the place of a file.
    @Test(arguments: ["ca_file", "keys"])
    func pipesAreNoFiles(_ member: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "pipe").path
        #expect(mkfifo(path, 0o600) == 0)
        let settings = SettingsRun.good().replacingOccurrences(
            of: #"{"provider":"apple","#,
            with: #"{"provider":"oidc","name":"staff","issuer":"https://issuer.example","\#(member)":"\#(path)","#)
        #expect(settings.contains(path))
        let run = try SettingsRun.run(["check-config"], settings)
        #expect(run.status == 1 && run.text.contains("providers[0].\(member) is no regular file"), "\(run.text)")
    }

    /// What the settings alone, and the folders that they name, say of the start.
    @Test func whatTheStartWouldRefuse() throws {
        let folder = try TemporaryFolder()
        let open = folder.url.appending(path: "open").path
        mkdir(open, 0o700)
        func check(_ listeners: String) throws -> (status: Int32, text: String, complaint: String) {
            try SettingsRun.run(
                ["check-config"], SettingsRun.good().replacingOccurrences(of: SettingsRun.unix, with: listeners))
        }
        for (mode, isGood) in [(0o700, true), (0o770, true), (0o702, false), (0o777, false), (0o1777, false)] {
            chmod(open, mode_t(mode))
            let run = try check(#"{"unix":"\#(open)/p.sock"}"#)
            #expect(run.status == (isGood ? 0 : 1), "\(mode): \(run.text)")
            #expect(run.text.contains("listeners[0].unix lies ") != isGood, "\(run.text)")
        }
        for (path, isGood) in [
            ("/nonexistent/./p.sock", false), ("/nonexistent//p.sock", false), ("/nonexistent/p.sock/", false),
            ("/nonexistent/../p.sock", true), ("/nonexistent/x/p.sock", true),
        ] {
            let run = try check(#"\#(SettingsRun.unix),{"unix":"\#(path)"}"#)
            #expect(run.text.contains("listeners[1] is at the same place as a listener before it") != isGood, "\(path)")
        }
    }

    /// The limit is that of whoever asks, so it is a doubt and no fault.
    @Test func descriptorsThatAreTooFew() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(SettingsRun.good().utf8), called: "settings.json").path
        let run = try Invocation.shell(#"ulimit -n 1024 && exec "$0" check-config --config "$1""#, [file])
        #expect(
            run.status == 0 && run.text.contains("warning: limits.connections is 16384, for which "), "\(run.text)")
        #expect(run.text.contains("the hard limit is 1024 here"), "\(run.text)")
    }

    @Test func nothingToLookAt() throws {
        #expect(try Invocation.run(["check-config"]).complaint.contains("--config is missing"))
        let none = try Invocation.run(["check-config", "--config", "/nonexistent"])
        #expect(none.status == 2 && none.complaint.contains("cannot be read"))
    }

    /// All at once, in the order in which they stand, and `serve` says the same.
    @Test func everyFaultIsTold() throws {
        let settings = """
            {
              "provider": [],
              "providers": [
                { "provider": "aple" },
                { "provider": "apple", "leeway": 301, "audiences": [
                  { "client_id": "a" },
                  { "client_id": "b", "nonce": "none" } ] },
                { "provider": "google", "audiences": [{ "client_id": "g", "nonce": "plain" }] },
                { "provider": "google", "audiences": [{ "client_id": "h", "nonce": "plain" }] },
              ],
              "listeners": [
                { "unix": "/x", "mode": "0666" },
                { "tcp": "0.0.0.0:1" } ],
              "api_keys": [{ "name": "a", "sha256": "x" },
                { "sha256": "y" }],
              "limits": { "threads": 0, "burst": 1,
                "conections": 1 },
              "nonces": { "lifetime": 9,
                "capacity": 0 },
              "cache_folder": "x",
            }
            """
        let run = try SettingsRun.run(["check-config"], settings)
        #expect(run.status == 1)
        let lines = run.text.split(separator: "\n").map(String.init)
        let places = lines.compactMap { $0.split(separator: ":").dropFirst().first.flatMap { Int($0) } }
        #expect(places == [2, 4, 5, 6, 7, 9, 12, 13, 14, 15, 16, 16, 17, 18, 19, 20], "\(run.text)")
        let start = try SettingsRun.run(["serve"], settings)
        #expect(start.status == 2)
        #expect(start.complaint == lines.map { "postern: \($0)\n" }.joined())
        let json = try SettingsRun.run(["check-config", "--format", "json"], settings)
        let object = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any]
        let faults = try #require(object?["faults"] as? [[String: Any]])
        #expect(object?["valid"] as? Bool == false && faults.count == lines.count)
        for (fault, line) in zip(faults, lines) {
            let parts = ["source", "line", "column", "message"].map { "\(fault[$0] ?? "")" }
            #expect("\(parts[0]):\(parts[1]):\(parts[2]): \(parts[3])" == line)
        }
    }

    /// What is named by the settings is looked at too.
    @Test func namedFilesAreChecked() throws {
        let folder = try TemporaryFolder()
        let keys = try folder.file(containing: Data("{}".utf8), called: "keys.json")
        let settings = DaemonIssuer.settings(
            DaemonIssuer.provider(keys: keys.path), listeners: SettingsRun.unix)
        #expect(try SettingsRun.run(["check-config"], settings).text.contains("providers[0].keys cannot be used"))
        try Data(TestIssuer.rsa.get().keySet.utf8).write(to: keys)
        #expect(try SettingsRun.run(["check-config"], settings).status == 0)
        chmod(keys.path, 0o646)
        #expect(try SettingsRun.run(["check-config"], settings).text.contains("keys can be changed by every user"))
    }

    @Test(arguments: [(0o644, true), (0o664, true), (0o646, false), (0o666, false)])
    func theFileItself(mode: Int, isGood: Bool) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(SettingsRun.good().utf8))
        chmod(file.path, mode_t(mode))
        let run = try Invocation.run(["check-config", "--config", file.path])
        #expect(run.status == (isGood ? 0 : 2))
        #expect(run.complaint.contains("can be changed by every user of the machine: chmod o-w") != isGood)
    }

    // MARK: - config

    @Test func whatToPrintMustBeSaid() throws {
        #expect(try Invocation.run(["config"]).complaint.contains("say --effective or --init"))
        #expect(try Invocation.run(["config", "--init", "--effective"]).complaint.contains("exclude each other"))
        #expect(try Invocation.run(["config", "--init", "--config", "x"]).complaint.contains("takes no settings"))
    }

    /// The file to start from is refused until it is filled in, and good then.
    @Test func theFileToStartFrom() throws {
        let text = try Invocation.run(["config", "--init"]).text
        let empty = try SettingsRun.run(["check-config"], text)
        #expect(empty.status == 1)
        #expect(empty.text.contains("client_id still says \"FILL IN\"") && empty.text.filter { $0 == "\n" }.count == 1)
        let filled = text.replacingOccurrences(of: "FILL IN: the bundle ID or Services ID", with: "com.example.app")
        let run = try SettingsRun.run(["check-config"], filled)
        #expect(run.status == 0, "\(run.text)")
        // Three lines turn accounts on.
        let folder = try TemporaryFolder()
        let on = try AccountsDaemon.masterKey("master.key", in: folder)
        let parts = filled.components(separatedBy: "\n  \"accounts\": {")
        #expect(parts.count == 2)
        let accounts = parts.last?
            .replacingOccurrences(of: #"// "data": "/var/lib/postern""#, with: "\"data\": \"\(folder.url.path)/data\"")
            .replacingOccurrences(
                of: #"// "master_key_file": "/etc/postern/master.key""#, with: "\"master_key_file\": \"\(on)\""
            )
            .replacingOccurrences(of: #"// "issuer""#, with: "\"issuer\"")
        let turned = try SettingsRun.run(
            ["check-config"], [parts[0], accounts ?? ""].joined(separator: "\n  \"accounts\": {"))
        #expect(turned.status == 0, "\(turned.text)")
        let json = try Invocation.run(["settings", "--format", "json"]).json()
        for setting in try #require(json["settings"] as? [[String: Any]]) {
            let name = try #require((setting["setting"] as? String)?.split(separator: ".").last)
            #expect(text.contains("\"\(name.replacingOccurrences(of: "[]", with: ""))\":"), "\(name)")
        }
    }

    /// One pair of slashes makes each setting count that may be said beside those that are there; blocks are open or as a whole
    /// commented out.
    @Test func slashesAreThereOnce() throws {
        let text = try Invocation.run(["config", "--init"]).text
        #expect(text.contains("\n  \"log\": {\n"))
        // Beside the units of the package another listener is needed.
        #expect(text.contains(#"// then: "listeners": [{ "inherited": 0, "doors": ["native", "operations"] }],"#))
        let settings = text.components(separatedBy: "\n").drop { !$0.contains("\"log\"") }
        #expect(
            settings.count > 5 && !settings.contains { $0.contains("// //") || $0.contains("//   //") }, "\(settings)")
    }

    /// What is not said is there with the value that counts, and not in words where there is one.
    @Test func whatIsNotSaidHasItsValue() throws {
        let text = try SettingsRun.run(["config", "--effective"], SettingsRun.good()).text
        for line in [
            #"// "name": "apple" (default)"#, #"// "keys": "https://appleid.apple.com/auth/keys" (default)"#,
            #"// "algorithms": ["RS256"] (default)"#, #"// "presenters": [] (default)"#,
            #"// "max_age": 600 (default)"#,
            #"// "kind": "app" (default)"#, #"// "doors": ["native","operations"] (default)"#,
            #"// "mode": "0600" (default)"#, #"// "owner": "\#(geteuid())" (default)"#,
            #"// "reserved_connections": 8192 (default)"#, #"// "api_keys": [] (default)"#,
            #"// "level": "info" (default)"#,
        ] { #expect(text.contains(line), "\(line) in \(text)") }
        // What stands in place of others, or is for other providers.
        for name in ["one of the three", "tcp", "inherited", "tenant", "issuer", "required"] {
            #expect(!text.contains("\"\(name)\":") && !text.contains("\(name) (default)"), "\(name) in \(text)")
        }
    }

    /// Each example of that file is of the right kind and size.
    @Test func everyExampleIsAValue() throws {
        let text = try Invocation.run(["config", "--init"]).text
        let filled = text.replacingOccurrences(of: "FILL IN", with: "filled in")
        let lines = filled.components(separatedBy: "\n").map { line in
            // What is commented out begins with a quote or a bracket; words do not.
            line.replacing(#/^( *)\/\/ (( *\/\/)? *["{}\]].*)$/#) { "\($0.1)\($0.2)" }
        }
        let uncommented = lines.map { $0.replacing(#/^( *)\/\/ ( *["{}\]].*)$/#) { "\($0.1)\($0.2)" } }
        let run = try SettingsRun.run(["check-config"], uncommented.joined(separator: "\n"))
        #expect(run.status == 1 && run.text.contains("exclude each other"))
        for wrong in ["there is no setting", "must be a number", "must be a string", "must be an", "unexpected"] {
            #expect(!run.text.contains(wrong), "\(run.text)")
        }
    }

    /// What counts is a file of settings itself, and the same when it is read again; hashes are masked.
    @Test func whatCountsIsAFile() throws {
        let hash = String(repeating: "ab", count: 32)
        let settings = SettingsRun.good(#","api_keys":[{"name":"a","sha256":"\#(hash)"}],"limits":{"threads":3}"#)
        let first = try SettingsRun.run(["config", "--effective"], settings)
        #expect(first.status == 0)
        #expect(!first.text.contains(hash) && first.text.contains(#""sha256": "(masked)","#))
        #expect(first.text.contains(#""threads": 3,  // FILE:1"#))
        #expect(first.text.contains(#"// "body_bytes": 1048576 (default)"#))
        let again = first.text.replacingOccurrences(of: "(masked)", with: hash)
        let second = try SettingsRun.run(["config", "--effective"], again)
        #expect(second.status == 0, "\(second.complaint)")
        func values(_ text: String) -> [String] {
            text.components(separatedBy: "\n").map { $0.components(separatedBy: "  // ")[0] }
        }
        #expect(values(second.text) == values(first.text))
        let json = try SettingsRun.run(["config", "--effective", "--format", "json"], settings)
        #expect(!json.text.contains(hash))
        #expect(try SettingsRun.run(["config", "--effective"], "{}").status == 2)
    }
}
