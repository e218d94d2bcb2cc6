import Foundation
import Glibc
import PosternTestSupport
import Testing

/// Settings that must not be served: each refuses the start and says where and why.
@Suite struct SettingsTests {
    private static let apple =
        #"{"provider":"apple","audiences":[{"client_id":"a","nonce":"issued"}]}"#
    private static let unix = #"{"unix":"/nonexistent/p.sock"}"#

    private static func whole(_ providers: String = apple, _ listeners: String = unix, _ more: String = "") -> String {
        #"{"providers":[\#(providers)],"listeners":[\#(listeners)]\#(more)}"#
    }

    private static func oidc(_ more: String) -> String {
        #"{"provider":"oidc","audiences":[{"client_id":"a","nonce":"plain"}],\#(more)}"#
    }

    private static func audience(_ members: String) -> String {
        whole(#"{"provider":"apple","audiences":[{\#(members)}]}"#)
    }

    private func refusal(_ settings: String) throws -> String {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(settings.utf8), called: "settings.json")
        let run = try Invocation.run(["serve", "--config", file.path], environment: ["HOME": folder.url.path])
        #expect(run.status == 2)
        #expect(run.text.isEmpty)
        return run.complaint.replacingOccurrences(of: file.path, with: "FILE")
    }

    static let mistakes: [(settings: String, message: String)] = [
        ("", "FILE:1:1: empty text"), ("{", "FILE:1:2: the text ends too early"),
        ("[]", "FILE:1:1: the settings must be an object, not an array"),
        ("{}", "FILE:1:1: providers is missing"), (#"{"providers":[]}"#, "FILE:1:14: providers is empty"),
        (
            "{\n // x\n \"provider\": [] }",
            "FILE:3:2: there is no setting \"provider\" here: is providers meant?"
        ),
        ("{\n \"providers\": {},\n}", "FILE:2:15: providers must be an array of objects, not an object"),
        (#"{"providers":[\#(apple)]}"#, "FILE:1:1: listeners is missing"), (whole(apple, ""), "listeners is empty"),
        (whole("1"), "providers[0] must be an object, not this number"),
        // Providers.
        (whole(#"{"audiences":[]}"#), "providers[0].provider is missing"),
        (
            whole(#"{"provider":"Apple"}"#),
            #"provider must be one of apple, google, microsoft, facebook, firebase, oidc, not "Apple""#
        ),
        (whole(#"{"provider":"apple"}"#), "providers[0].audiences is missing: name the client IDs"),
        (whole(#"{"provider":"apple","audiences":[]}"#), "audiences is empty"),
        (whole(#"{"provider":"apple","issuer":"x"}"#), "issuer is only for the provider oidc: that of apple is pinned"),
        (whole(#"{"provider":"apple","keys":"https://a.example/"}"#), "keys is only for the provider oidc"),
        (whole(#"{"provider":"google","algorithms":["ES256"]}"#), "algorithms is only for the provider oidc"),
        (whole(#"{"provider":"google","tenant":"common"}"#), "tenant is only for the provider microsoft"),
        (
            whole(#"{"provider":"microsoft","audiences":[{"client_id":"a","nonce":"plain"}]}"#),
            "providers[0].tenant is missing"
        ),
        (
            whole(#"{"provider":"microsoft","tenant":"example.com","audiences":[{"client_id":"a","nonce":"plain"}]}"#),
            "is neither common"
        ),
        (whole(#"{"provider":"firebase","presenters":["a"]}"#), "presenters is not for firebase"),
        (
            whole(
                #"{"provider":"firebase","audiences":[{"client_id":"a","nonce":"unchecked"},{"client_id":"b","nonce":"unchecked"}]}"#
            ), "audiences takes one for firebase"
        ),
        (whole("\(apple),\(apple)"), #"providers[1].provider is "apple" twice"#),
        (
            whole(apple.replacingOccurrences(of: #""apple","#, with: #""apple","leeway":301,"#)),
            "leeway must be a number of seconds, 0 to 300, not 301"
        ),
        (
            whole(apple.replacingOccurrences(of: #""apple","#, with: #""apple","leeway":1.5,"#)),
            "leeway must be a number of seconds, 0 to 300, not 1.5"
        ),
        (
            whole(apple.replacingOccurrences(of: #""apple","#, with: #""apple","leeway":"60","#)),
            "leeway must be a number of seconds, 0 to 300, not a string"
        ),
        (
            whole(apple.replacingOccurrences(of: #""apple","#, with: #""apple","max_age":-1,"#)),
            "max_age must be a number of seconds, 0 to 31622400, not -1"
        ),
        (
            whole(apple.replacingOccurrences(of: #""apple","#, with: #""apple","name":"google","#)),
            "name is the word for another provider"
        ),
        (
            whole(apple.replacingOccurrences(of: #""apple","#, with: #""apple","name":"a b","#)),
            "name takes at most 64 letters"
        ),
        (
            whole(apple.replacingOccurrences(of: #""apple","#, with: #""apple","ca_file":"ca.pem","#)),
            "ca_file must be an absolute path"
        ),
        (
            whole(apple.replacingOccurrences(of: #""apple","#, with: #""apple","ca_file":"/nonexistent","#)),
            #"providers[0].ca_file "/nonexistent" cannot be read: No such file or directory"#
        ),
        (
            whole(apple.replacingOccurrences(of: #""apple","#, with: #""apple","proxy":"x y","#)),
            "providers[0].proxy must be http://"
        ),
        (whole(oidc(#""name":"a""#)), "issuer is missing"), (whole(oidc(#""issuer":"""#)), "issuer is empty"),
        (whole(oidc(#""issuer":"https://appleid.apple.com""#)), "has a provider of its own here"),
        (whole(oidc(#""issuer":"https://a.example","algorithms":["HS256"]"#)), #"algorithms takes RS256"#),
        (whole(oidc(#""issuer":"https://a.example","algorithms":[]"#)), "algorithms is empty"),
        (
            whole(oidc(#""issuer":"https://a.example","algorithms":["RS256","RS256"]"#)),
            "stands twice in providers[0].algorithms"
        ),
        (whole(oidc(#""issuer":"https://a.example","keys":"http://a.example/""#)), "it is not https"),
        (
            whole(oidc(#""issuer":"https://a.example","keys":"http://127.0.0.1/k""#)),
            "it is not https; insecure_loopback allows it, for tests"
        ),
        (whole(oidc(#""issuer":"https://a.example","keys":"keys.json""#)), "keys must be an absolute path"),
        (whole(oidc(#""issuer":"https://a.example","keys":"/nonexistent""#)), "keys cannot be used"),
        (
            whole(oidc(#""issuer":"https://a.example","keys":"/x","proxy":"http://p:1""#)),
            "proxy has no meaning with a key file"
        ),
        (whole(oidc(#""issuer":"http://a.example""#)), "it is not https"),
        (whole(oidc(#""issuer":"http://a.example""#)), "FILE:1:91: providers[0].issuer: "),
        // Audiences.
        (audience(#""nonce":"issued""#), "audiences[0].client_id is missing"),
        (audience(#""client_id":"","nonce":"issued""#), "client_id is empty"),
        (audience(#""client_id":"a""#), "nonce is missing: say issued, hashed, plain or unchecked"),
        (
            audience(#""client_id":"a","nonce":"none""#),
            #"nonce must be one of issued, hashed, plain, unchecked, not "none""#
        ),
        (audience(#""client_id":"a","nonce":"issued","kind":"ios""#), "kind must be one of app, web"),
        (
            audience(#""client_id":"a","nonce":"issued","single":true"#),
            #"no setting "single" in providers[0].audiences[0]"#
        ),
        (
            audience(#""client_id":"a","nonce":"issued","kind":"web","accept_unsupported_nonce":true"#),
            "is for old apps, not for web"
        ),
        (
            audience(#""client_id":"a","nonce":"unchecked","accept_unsupported_nonce":true"#),
            "has no meaning where the nonce is unchecked"
        ),
        (
            audience(#""client_id":"a","nonce":"issued","accept_unsupported_nonce":1"#),
            "must be a boolean, not 1"
        ),
        (audience(#""client_id":"a","nonce":"issued"},{"client_id":"a","nonce":"plain""#), "is given twice"),
        (
            whole(
                #"\#(apple),{"provider":"apple","name":"other","audiences":[{"client_id":"a","nonce":"unchecked"}]}"#),
            #"providers[1].audiences has "a", as providers[0] does, and both take tokens of https://appleid.apple.com"#
        ),
        (audience(#""client_id":"FILL IN: yours","nonce":"issued""#), #"client_id still says "FILL IN""#),
        // Slips.
        (audience(#""clientid":"a","nonce":"issued""#), "audiences[0]: is client_id meant?"),
        (whole(#"{"provider":"apple","Audiences":[]}"#), "in providers[0]: is audiences meant?"),
        (whole(apple, unix, #","limits":{"header-bytes":2048}"#), "in limits: is header_bytes meant?"),
        (whole(apple, unix, #","nonces":{"lifetimes":60}"#), "in nonces: is lifetime meant?"),
        (whole(apple, unix, #","threads":2"#), "here: there is limits.threads; those known are providers"),
        (whole(apple, unix, #","zzzzzzzz":2"#), #"no setting "zzzzzzzz" here; those known are providers"#),
        (
            whole(apple, unix, #","limits":{"header_seconds":"10s"}"#),
            "must be a number of seconds, 1 to 600, not a string"
        ),
        // Listeners.
        (
            whole(apple, #"{"tcp":"127.0.0.1:1","beyond_loopback":true}"#),
            "beyond_loopback has no meaning for 127.0.0.1"
        ),
        (whole(apple, #"{"unix":"/a","group":"root"}"#), "group has no meaning where mode lets only the owner connect"),
        (
            whole(apple, unix, #","limits":{"connections":10,"connections_per_peer":11}"#),
            "is more than limits.connections, which is 10"
        ),
        (whole(apple, unix, #","api_keys":[{"name":"a","credential":"x/y"}]"#), "takes the name of a credential"),
        (whole(apple, unix, #","api_keys":[{"name":"a","credential":".."}]"#), "takes the name of a credential"),
        (
            whole(apple, unix, #","api_keys":[{"name":"\#(String(repeating: "n", count: 65))","sha256":"x"}]"#),
            "name is longer than 64 bytes"
        ),
        (
            whole(apple, unix, #","api_keys":[{"name":"\#(String(repeating: "n", count: 64))","sha256":"x"}]"#),
            "must be the SHA-256 of a key"
        ),
        (whole(apple, unix, #","api_keys":[{"name":"a","credential":"x"}]"#), "CREDENTIALS_DIRECTORY is not set"),
        (whole(apple, unix, #","api_keys":[{"name":"a","file":"/dev/zero"}]"#), "file is not a regular file"),
        (whole(apple, "{}"), "listeners[0] must say one of unix, tcp, inherited"),
        (whole(apple, #"{"unix":"/a","tcp":"127.0.0.1:1"}"#), "unix and tcp exclude each other"),
        (whole(apple, #"{"unix":"p.sock"}"#), "unix must be an absolute path"),
        (whole(apple, #"{"unix":"/\#(String(repeating: "a", count: 107))"}"#), "longer than the 107 bytes"),
        (whole(apple, #"{"unix":"/a","mode":"0666"}"#), "mode lets every user of the machine in"),
        (whole(apple, #"{"unix":"/a","mode":"0602"}"#), "mode lets every user of the machine in"),
        (whole(apple, #"{"unix":"/a","mode":"rw"}"#), "mode takes three octal digits"),
        (whole(apple, #"{"unix":"/a","mode":"4600"}"#), "mode takes three octal digits"),
        (whole(apple, #"{"unix":"/a","mode":600}"#), "mode must be a string, not 600"),
        (whole(apple, #"{"unix":"/a","owner":"nobody-at-all"}"#), "which this machine does not know"),
        (whole(apple, #"{"unix":"/a","allow_groups":["nobody-at-all"]}"#), "which this machine does not know"),
        (whole(apple, #"{"unix":"/a","allow_users":["4294967295"]}"#), "which this machine does not know"),
        (whole(apple, #"{"unix":"/a","allow_users":[]}"#), "allow_users is empty"),
        (whole(apple, #"{"unix":"/a","doors":["admin"]}"#), "doors takes native, auth, operations"),
        (whole(apple, #"{"unix":"/a","require_api_key":true}"#), "api_keys names none"),
        (whole(apple, #"{"unix":"/a","beyond_loopback":true}"#), "beyond_loopback has no meaning for unix"),
        (whole(apple, #"{"unix":"/a"},{"unix":"/a"}"#), "is at the same place as a listener before it"),
        (whole(apple, #"{"tcp":"127.0.0.1:8711","doors":["native"]}"#), "name an API key in api_keys"),
        (whole(apple, #"{"tcp":"0.0.0.0:8711"}"#), "other machines may reach"),
        (whole(apple, #"{"tcp":"[::]:8711"}"#), "other machines may reach"),
        (whole(apple, #"{"tcp":"127.0.0.1.example.com:1"}"#), "tcp takes an address, and no name is looked up"),
        (whole(apple, #"{"tcp":"localhost:8711"}"#), "write 127.0.0.1 or [::1] for localhost"),
        (whole(apple, #"{"tcp":"127.0.0.1"}"#), "takes an address and a port"),
        (whole(apple, #"{"tcp":"127.0.0.1:65536"}"#), "takes an address and a port"),
        (whole(apple, "{\"tcp\":\"127.0.0.1:\u{301}8711\"}"), "takes an address and a port"),
        (whole(apple, #"{"tcp":"::1:80"}"#), "takes an address and a port"),
        (whole(apple, #"{"tcp":"127.0.0.1:1","mode":"0600"}"#), "mode has no meaning for tcp"),
        (whole(apple, #"{"tcp":"127.0.0.1:1","allow_users":["0"]}"#), "allow_users has no meaning for tcp"),
        (whole(apple, #"{"inherited":0}"#), "doors is missing: say what is to be open"),
        (whole(apple, #"{"inherited":64,"doors":[]}"#), "inherited must be a number, 0 to 63"),
        (whole(apple, #"{"inherited":0,"doors":[]}"#), "listeners[0] cannot be opened (invalid)"),
        (whole(), "listeners[0] cannot be opened (system)"),
        // API keys.
        (whole(apple, unix, #","api_keys":[{"name":"a"}]"#), "api_keys[0].sha256 is missing"),
        (whole(apple, unix, #","api_keys":[{"sha256":"a"}]"#), "api_keys[0].name is missing"),
        (whole(apple, unix, #","api_keys":[{"name":"a","sha256":"abc"}]"#), "must be the SHA-256 of a key"),
        (
            whole(apple, unix, #","api_keys":[{"name":"a","sha256":"\#(String(repeating: "g", count: 64))"}]"#),
            "must be the SHA-256 of a key"
        ),
        (
            whole(apple, unix, #","api_keys":[{"name":"a","sha256":"x","file":"/x"}]"#),
            "file and sha256 exclude each other"
        ),
        (whole(apple, unix, #","api_keys":[{"name":"a","file":"/nonexistent"}]"#), "cannot be read"),
        (
            whole(apple, unix, #","api_keys":[{"name":"a","sha256":"\#(hash)"},{"name":"a","sha256":"\#(hash)"}]"#),
            #"name is "a" twice"#
        ),
        (
            whole(apple, unix, #","api_keys":[{"name":"a","sha256":"\#(hash)"},{"name":"b","sha256":"\#(hash)"}]"#),
            "is the same key as one before it"
        ),
        (
            whole(
                apple, unix,
                #","api_keys":[{"name":"a","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}]"#
            ),
            "api_keys[0].sha256 is the hash of nothing"
        ),
        (
            whole(apple, unix, #","api_keys":[{"name":"a","sha256":"\#(String(repeating: "0", count: 64))"}]"#),
            "api_keys[0].sha256 is the hash of nothing"
        ),
        // Shares.
        (
            whole(apple, #"{"unix":"/a","reserved_connections":-1}"#),
            "reserved_connections must be a number of connections"
        ),
        (
            whole(
                apple, #"{"unix":"/a","reserved_connections":6},{"tcp":"127.0.0.1:0","reserved_connections":5}"#,
                #","limits":{"connections":10}"#),
            "listeners[1].reserved_connections makes 11 with those of other listeners, and limits.connections is 10"
        ),
        (
            whole(
                apple, #"{"unix":"/a","reserved_connections":10},{"tcp":"127.0.0.1:0"}"#,
                #","limits":{"connections":10}"#),
            "listeners[1] would get no connection"
        ),
        (
            whole(apple, unix, #","limits":{"body_bytes":100000,"buffered_bytes":100000}"#),
            "limits.buffered_bytes does not fit: each of 1 listeners has 75000 bytes"
        ),
        (
            whole(
                apple, (0..<4).map { #"{"unix":"/\#($0)"}"# }.joined(separator: ","),
                #","limits":{"body_bytes":16777216}"#),
            "limits.body_bytes does not fit: each of 4 listeners has 12582912 bytes"
        ),
        // The rest.
        (
            whole(apple, unix, #","nonces":{"lifetime":9}"#),
            "nonces.lifetime must be a number of seconds, 10 to 86400, not 9"
        ),
        (whole(apple, unix, #","nonces":{"capacity":0}"#), "nonces.capacity must be a number of nonces"),
        (whole(apple, unix, #","nonces":[]"#), "nonces must be an object, not an array"),
        (whole(apple, unix, #","limits":{"burst":5}"#), "burst has no meaning without requests_per_second"),
        (
            whole(apple, unix, #","limits":{"threads":0}"#),
            "limits.threads must be a number of threads, 1 to 256, not 0"
        ),
        (whole(apple, unix, #","limits":{"body_bytes":1e99}"#), "limits.body_bytes must be a number of bytes"),
        (whole(apple, unix, #","cache_folder":"x""#), "cache_folder must be an absolute path"),
        (whole(apple, unix, #","cache_folder":null"#), "cache_folder must be a string, not null"),
    ]

    private static let hash = String(repeating: "ab", count: 32)

    @Test(arguments: mistakes.indices)
    func mistakesRefuseTheStart(index: Int) throws {
        let (settings, message) = Self.mistakes[index]
        let complaint = try refusal(settings)
        #expect(complaint.contains(message), "\(settings): \(complaint)")
        #expect(
            complaint.contains("FILE:1:") || complaint.contains("FILE:2:") || complaint.contains("FILE:3:"),
            "\(complaint)")
    }

    @Test func theFileMustBeOne() throws {
        #expect(try Invocation.run(["serve"]).complaint.contains("--config is missing"))
        #expect(try Invocation.run(["serve", "--config", "/nonexistent"]).complaint.contains("cannot be read"))
        #expect(try Invocation.run(["serve", "--config", "/"]).complaint.contains("neither a file nor a pipe"))
        #expect(try Invocation.run(["serve", "--config", "/dev/zero"]).complaint.contains("larger than"))
        #expect(
            try Invocation.run(["serve", "--config", "a", "--development", "b"]).complaint.contains(
                "exclude each other"))
    }

    /// A folder that everybody may write to would let others put their own socket there.
    @Test func aFolderForAllIsRefused() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o777)
        let complaint = try refusal(Self.whole(Self.apple, #"{"unix":"\#(folder.url.path)/p.sock"}"#))
        #expect(complaint.contains("listeners[0] cannot be opened (unsafe)"), "\(complaint)")
    }

    /// A file may hold the hash, or the key itself when others cannot read it.
    @Test(arguments: [
        ("hash", 0o644, true), ("key", 0o600, true), ("key", 0o640, false), ("other", 0o600, false),
        ("cut", 0o600, false), ("prefix", 0o600, false), ("longer", 0o600, false), ("two lines", 0o600, false),
        ("hash of nothing", 0o600, false),
    ])
    func keyFiles(content: String, mode: Int, isTaken: Bool) throws {
        let made = try Invocation.run(["api-key", "--format", "json"]).json()
        let key = try #require(made["key"] as? String)
        let texts = try [
            "key": key, "hash": #require(made["sha256"] as? String), "other": "secret", "cut": String(key.dropLast()),
            "prefix": "postern_", "hash of nothing": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "longer": key + "A", "two lines": key + "\n\nx",
        ]
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(((texts[content] ?? "") + "\n").utf8), called: "api-key")
        chmod(file.path, mode_t(mode))
        let settings = Self.whole(Self.apple, Self.unix, #","api_keys":[{"name":"a","file":"\#(file.path)"}]"#)
        let complaint = try refusal(settings)
        // The socket cannot be made, but that comes after the keys.
        #expect(complaint.contains("(system)") == isTaken, "\(complaint)")
        #expect(!complaint.contains(key))
    }

    // MARK: - Documents

    private struct Row: Hashable {
        let setting, form, standard, meaning, change: String
    }

    /// `Docs/Settings.md` says what the program says, word for word.
    @Test func theListIsWhole() throws {
        let json = try Invocation.run(["settings", "--format", "json"]).json()
        let known = try #require(json["settings"] as? [[String: Any]]).map { entry in
            func text(_ name: String) -> String { entry[name] as? String ?? "" }
            return Row(
                setting: text("setting"), form: text("form"), standard: text("default"), meaning: text("meaning"),
                change: text("change"))
        }
        #expect(known.count > 40)
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Settings.md"), encoding: .utf8)
        let listed = text.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.components(separatedBy: " | ").map { $0.trimmingCharacters(in: ["|", " "]) }
            return Row(
                setting: cells[0].trimmingCharacters(in: ["`"]), form: cells[1], standard: cells[2], meaning: cells[3],
                change: cells[4])
        }
        #expect(Set(listed).symmetricDifference(known).isEmpty)
        #expect(listed.count == known.count)
    }

    /// The examples there are read whole; what stops them is that this machine has no such group.
    @Test func theExamplesAreSettings() throws {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Settings.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 3)
        let folder = try TemporaryFolder()
        for block in blocks {
            let mine = try AccountsDaemon.placed(block, in: folder).replacingOccurrences(
                of: #""backend""#, with: #""root""#
            )
            .replacingOccurrences(of: "/run/postern/", with: "/nonexistent/")
            .replacingOccurrences(of: #""ca_file": "/etc/ssl/example-ca.pem","#, with: "")
            #expect(try refusal(mine).contains("listeners[0] cannot be opened (system)"))
        }
    }
}
