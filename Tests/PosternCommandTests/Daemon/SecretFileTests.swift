import Foundation
import Glibc
import PosternTestSupport
import Testing

/// Files that decide who is let in.
@Suite struct SecretFileTests {
    private enum Content { case key, hash }

    private static func settings(_ member: String) -> String {
        SettingsRun.good(#","api_keys":[{"name":"a",\#(member)}]"#)
    }

    private static func make(_ content: Content, _ mode: mode_t, in folder: TemporaryFolder) throws -> String {
        let made = try Invocation.run(["api-key", "--format", "json"]).json()
        let text = try #require(made[content == .key ? "key" : "sha256"] as? String)
        let file = try folder.file(containing: Data("\(text)\n".utf8), called: "secret")
        chmod(file.path, mode)
        return file.path
    }

    private static let modes: [(content: Content, mode: mode_t, message: String?)] = [
        (.key, 0o600, nil), (.key, 0o400, nil), (.key, 0o640, "others than its owner may read it: chmod 600"),
        (.key, 0o604, "others than its owner may read it: chmod 600"),
        (.key, 0o620, "can be changed by others than its owner: chmod go-w"), (.hash, 0o644, nil), (.hash, 0o755, nil),
        (.hash, 0o664, "can be changed by others than its owner: chmod go-w"),
        (.hash, 0o646, "can be changed by others than its owner: chmod go-w"),
    ]

    @Test(arguments: modes.indices)
    func whoMayReadAndWrite(_ index: Int) throws {
        let (content, mode, message) = Self.modes[index]
        let folder = try TemporaryFolder()
        let path = try Self.make(content, mode, in: folder)
        let run = try SettingsRun.run(["check-config"], Self.settings(#""file":"\#(path)""#))
        #expect(run.status == (message == nil ? 0 : 1), "\(run.text)")
        if message != nil { #expect(run.text.hasPrefix("FILE:1:") && run.text.contains("api_keys[0].file")) }
        if let message { #expect(run.text.contains(message), "\(run.text)") }
    }

    /// systemd shows the access list of the service's user as the bits of the group.
    @Test(arguments: [(0o400, true), (0o440, true), (0o444, false), (0o460, false)])
    func credentials(mode: Int, isGood: Bool) throws {
        let folder = try TemporaryFolder()
        _ = try Self.make(.key, mode_t(mode), in: folder)
        let environment = ["CREDENTIALS_DIRECTORY": folder.url.path]
        let run = try SettingsRun.run(["check-config"], Self.settings(#""credential":"secret""#), [], environment)
        #expect(run.status == (isGood ? 0 : 1), "\(run.text)")
        let other = try SettingsRun.run(["check-config"], Self.settings(#""credential":"other""#), [], environment)
        #expect(other.text.contains("api_keys[0].credential cannot be read"))
    }

    /// Outside of the service nobody can look at its credentials; the service must.
    @Test func credentialsOfTheServiceAlone() throws {
        let settings = Self.settings(#""credential":"secret""#).replacingOccurrences(
            of: SettingsRun.unix, with: #"{"unix":"/nonexistent/p.sock","require_api_key":true}"#)
        let shut = ["CREDENTIALS_DIRECTORY": "/nonexistent"]
        for environment in [[:], shut] {
            let check = try SettingsRun.run(["check-config"], settings, [], environment)
            #expect(check.status == 0)
            #expect(
                check.text
                    == "api_keys[0].credential: not checked, only the service can read it\n" + SettingsRun.areGood)
            #expect(try SettingsRun.run(["config", "--effective"], settings, [], environment).status == 0)
            let start = try SettingsRun.run(["serve"], settings, [], environment)
            #expect(start.status == 2 && start.complaint.contains("FILE:1:"))
            #expect(start.complaint.contains("api_keys[0].credential"))
        }
    }

    /// What is wrong with a credential whatever it holds is found by everybody.
    private static let mistakes: [(keys: String, fault: String)] = [
        (#"{"name":"a","credential":"k","sha256":"x"}"#, "api_keys[0].credential and sha256 exclude each other"),
        (#"{"name":"a","credential":"k","file":"/k"}"#, "api_keys[0].credential and file exclude each other"),
        (#"{"name":"a","credential":""}"#, "api_keys[0].credential is empty"),
        (#"{"name":"a","credential":"../out/k"}"#, "api_keys[0].credential takes the name of a credential, not a path"),
        (#"{"name":"a","credential":".."}"#, "takes the name of a credential"),
        (#"{"name":"a","credential":"."}"#, "takes the name of a credential"),
        (#"{"name":"a","credential":"x/y"}"#, "takes the name of a credential"),
        (#"{"name":"a","credential":"x\u0000"}"#, "takes the name of a credential"),
        (#"{"name":"a","credential":"x y"}"#, "takes the name of a credential"),
        (#"{"name":"a","credential":1}"#, "api_keys[0].credential must be a string"),
        (#"{"name":"a","credential":"\#(String(repeating: "k", count: 256))"}"#, "takes the name of a credential"),
        (#"{"credential":"k"}"#, "api_keys[0].name is missing"),
        (
            #"{"name":"a","credential":"k"},{"name":"b","credential":"k"}"#,
            "api_keys[1] is the same key as one before it"
        ),
        (#"{"name":"a","credential":"k"},{"name":"a","credential":"l"}"#, #"api_keys[1].name is "a" twice"#),
    ]

    @Test(arguments: mistakes.indices)
    func credentialsThatAreNone(_ index: Int) throws {
        let (keys, fault) = Self.mistakes[index]
        let settings = SettingsRun.good(#","api_keys":[\#(keys)]"#)
        for command in ["check-config", "serve"] {
            let run = try SettingsRun.run([command], settings)
            #expect(run.status == (command == "serve" ? 2 : 1))
            #expect((run.text + run.complaint).contains(fault), "\(command): \(run.text) \(run.complaint)")
        }
    }

    @Test func theLongestName() throws {
        let keys = #"{"name":"a","credential":"\#(String(repeating: "k", count: 255))"}"#
        #expect(try SettingsRun.run(["check-config"], SettingsRun.good(#","api_keys":[\#(keys)]"#)).status == 0)
    }

    /// A file of neither root nor ours.
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"), arguments: [Content.key, .hash])
    private func ofSomebodyElse(_ content: Content) throws {
        let folder = try TemporaryFolder()
        let path = try Self.make(content, 0o600, in: folder)
        chown(path, 65534, 65534)
        let run = try SettingsRun.run(["check-config"], Self.settings(#""file":"\#(path)""#))
        #expect(run.status == 1)
        #expect(run.text.contains("is a file of the user 65534"), "\(run.text)")
    }

    /// A pipe would hold up the start for ever.
    @Test func pipes() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("pipe").path
        mkfifo(path, 0o600)
        let run = try SettingsRun.run(["check-config"], Self.settings(#""file":"\#(path)""#))
        #expect(run.text.contains("is not a regular file"))
    }

    @Test(arguments: [(4096, "must hold a key"), (4097, "larger than 4096 bytes")])
    func sizes(count: Int, message: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(containing: Data(repeating: 0x61, count: count)).path
        #expect(try SettingsRun.run(["check-config"], Self.settings(#""file":"\#(path)""#)).text.contains(message))
    }
}
