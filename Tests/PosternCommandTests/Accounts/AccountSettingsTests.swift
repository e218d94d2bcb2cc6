import Foundation
import Glibc
import Testing

/// What must not be said of accounts, with the place where it stands.
@Suite(.onAThreadOfItsOwn) struct AccountSettingsTests {
    private static let provider =
        #"{"provider":"apple","audiences":[{"client_id":"a","nonce":"issued"}]}"#

    /// `KEY` is a good master key, `DATA` a folder that is not there yet, `OPEN` a key that others may read.
    private func faults(_ accounts: String, _ more: String = "", listeners: String = #"{"unix":"/nonexistent/p.sock"}"#)
        throws -> [String]
    {
        let folder = try TemporaryFolder()
        let key = try AccountsDaemon.masterKey("master.key", in: folder)
        let open = try AccountsDaemon.masterKey("open.key", in: folder)
        chmod(open, 0o640)
        mkdir("\(folder.url.path)/inside", 0o700)
        mkdir("\(folder.url.path)/anybody", 0o700)
        chmod("\(folder.url.path)/anybody", 0o777)
        try FileManager.default.copyItem(atPath: key, toPath: "\(folder.url.path)/inside/master.key")
        let short = try folder.file(containing: Data("0123456789".utf8), called: "short.key").path
        let dull = try folder.file(containing: Data(repeating: 0x61, count: 64), called: "dull.key").path
        for path in [short, dull] { chmod(path, 0o600) }
        let text = """
            {"providers":[\(Self.provider)],
            "listeners":[\(listeners)],
            "accounts":{\(accounts)}\(more)}
            """
        let placed = [
            "KEY": key, "OPEN": open, "DATA": "\(folder.url.path)/data", "SHORT": short, "DULL": dull,
            "INSIDE": "\(folder.url.path)/inside", "ANYBODY": "\(folder.url.path)/anybody",
        ].reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
        let file = try folder.file(containing: Data(placed.utf8), called: "settings.json")
        let json = try Invocation.run(["check-config", "--config", file.path, "--format", "json"]).json()
        return (json["faults"] as? [[String: Any]] ?? []).map { fault in
            let place = [fault["line"], fault["column"]].map { "\($0 as? Int ?? 0)" }.joined(separator: ":")
            return "\(place): \(fault["message"] as? String ?? "")"
        }
    }

    private static let good = #""data":"DATA","master_key_file":"KEY","issuer":"https://a.example""#
    private static let handed = #""data":"DATA","issuer":"https://a.example""#
    private static let on = #""passwords":{"enabled":true,"blocklist":["none"]}"#

    private static let mistakes: [(accounts: String, fault: String)] = [
        (#""audience":"a""#, "3:24: accounts.audience has no meaning without accounts.data"),
        (#""sessions":{"single":true}"#, "3:34: accounts.sessions.single has no meaning without accounts.data"),
        (#""date":"/x""#, #"3:13: there is no setting "date" in accounts: is data meant?"#),
        (#""data":"x","master_key_file":"KEY","issuer":"https://a.example""#, "accounts.data must be an absolute path"),
        (#""data":"/","master_key_file":"KEY","issuer":"https://a.example""#, "accounts.data cannot be the root"),
        (#""data":"DATA","issuer":"https://a.example""#, "3:12: accounts.master_key_file is missing"),
        (#""data":"DATA","master_key_file":"KEY""#, "3:12: accounts.issuer is missing"),
        (
            #""data":"DATA","master_key_file":"DATA.no","issuer":"https://a.example""#,
            "accounts.master_key_file is not there: 'postern keys master FILE' makes one"
        ),
        (
            #""data":"DATA","master_key_file":"OPEN","issuer":"https://a.example""#,
            "accounts.master_key_file may be read by others"
        ),
        (
            #""data":"DATA","master_key_file":"SHORT","issuer":"https://a.example""#,
            "accounts.master_key_file holds no key of at least 32"
        ),
        (
            #""data":"DATA","master_key_file":"DULL","issuer":"https://a.example""#,
            "accounts.master_key_file holds no key of at least 32"
        ),
        (
            #""data":"INSIDE","master_key_file":"INSIDE/master.key","issuer":"https://a.example""#,
            "accounts.master_key_file lies in the data folder"
        ),
        (
            #"\#(good),"former_master_key_files":["KEY"]"#,
            "accounts.former_master_key_files names the same key as accounts.master_key_file: take it out here"
        ),
        // Of credentials as much as can be told without reading them.
        (
            #"\#(handed),"master_key_credential":"../k""#,
            "accounts.master_key_credential takes the name of a credential"
        ),
        (#"\#(handed),"master_key_credential":"""#, "accounts.master_key_credential is empty"),
        (
            #"\#(handed),"master_key_credential":"m","former_master_key_credentials":["x/y"]"#,
            "accounts.former_master_key_credentials takes the name of a credential"
        ),
        (
            #"\#(handed),"master_key_credential":"m","former_master_key_credentials":[""]"#,
            "accounts.former_master_key_credentials takes the name of a credential"
        ),
        (
            #"\#(handed),"master_key_credential":"m","former_master_key_credentials":["n","m"]"#,
            "accounts.former_master_key_credentials names the same key as accounts.master_key_credential: take it out"
        ),
        (
            #"\#(good),"former_master_key_credentials":["n","n"]"#,
            #""n" stands twice in accounts.former_master_key_credentials"#
        ),
        (
            #""data":"DATA","master_key_file":"DATA/master.key","issuer":"https://a.example""#,
            "accounts.master_key_file lies in the data folder"
        ),
        (#""data":"KEY","master_key_file":"KEY","issuer":"https://a.example""#, "accounts.data is no folder"),
        (
            #""data":"ANYBODY/data","master_key_file":"KEY","issuer":"https://a.example""#,
            "/anybody\", a folder to which every user may write: chmod o-w"
        ),
        (#""data":"INSIDE.no/data","master_key_file":"KEY","issuer":"https://a.example""#, "make that first"),
        (#"\#(good),"former_master_key_files":["x"]"#, "accounts.former_master_key_files must be absolute paths"),
        (#"\#(good),"former_master_key_files":["OPEN"]"#, "accounts.former_master_key_files may be read by others"),
        (
            #"\#(good),"master_key_credential":"x""#,
            "accounts.master_key_credential and master_key_file exclude each other"
        ),
        (#""data":"DATA","master_key_file":"KEY","issuer":"http://a.example""#, "accounts.issuer must be https"),
        (#""data":"DATA","master_key_file":"KEY","issuer":"http://127.0.0.1:1""#, "insecure_loopback allows it"),
        (#""data":"DATA","master_key_file":"KEY","issuer":"http://localhost:1""#, "must be https, as apps"),
        (
            #""data":"DATA","master_key_file":"KEY","issuer":"http://localhost:1","insecure_loopback":true"#,
            "such as http://127.0.0.1:8711: a name, localhost too, may lead elsewhere"
        ),
        (
            #""data":"DATA","master_key_file":"KEY","issuer":"http://192.0.2.1:1","insecure_loopback":true"#,
            "with the address of this machine alone"
        ),
        (#"\#(good),"audience":"a ""#, "accounts.audience begins or ends with a space"),
        (#"\#(good),"audience":"a\nb""#, "accounts.audience holds a character that is not seen"),
        (#""data":"DATA","master_key_file":"KEY","issuer":"https://a.example/""#, "no slash at its end"),
        (#""data":"DATA","master_key_file":"KEY","issuer":"https://a.example?x=1""#, "must have no query"),
        (#""data":"DATA","master_key_file":"KEY","issuer":"a.example""#, "does not begin with https://"),
        (#"\#(good),"access_token_lifetime":59"#, "must be a number of seconds, 60 to 86400, not 59"),
        (#"\#(good),"access_token_lifetime":86401"#, "60 to 86400, not 86401"),
        (
            #"\#(good),"access_token_lifetime":300,"sessions":{"inactivity":300}"#,
            "access_token_lifetime is not less than sessions.inactivity"
        ),
        (#"\#(good),"signing_key_period":86399"#, "86400 to 31536000, not 86399"),
        (#"\#(good),"sessions":{"time_box":600,"inactivity":601}"#, "inactivity is more than time_box"),
        (#"\#(good),"sessions":{"time_bok":600}"#, "is time_box meant?"),
        (#"\#(good),"confirmation":"none""#, "confirmation has no meaning while nobody signs in by password"),
        (#"\#(good),"passwords":{"hash_passes":2}"#, "hash_passes has no meaning while enabled is not true"),
        (#"\#(good),"passwords":{"enabled":true,"blocklist":[]}"#, "blocklist is empty"),
        (#"\#(good),"passwords":{"enabled":true,"blocklist":["x"]}"#, "blocklist must be absolute paths"),
        (#"\#(good),"passwords":{"enabled":true,"blocklist":["/nonexistent/list"]}"#, "blocklist cannot be used"),
        (
            #"\#(good),"passwords":{"enabled":true,"blocklist":["none"],"hash_memory":7168}"#,
            "hash_memory makes 7168 KiB 2 times"
        ),
        (
            #"\#(good),"passwords":{"enabled":true,"blocklist":["none"],"hash_memory":131072,"hash_passes":9}"#,
            "would hold up every sign-in"
        ),
        (#"\#(good),"passwords":{"enabled":true,"minimum_characters":5}"#, "6 to 64, not 5"),
        (#"\#(good),\#(on),"confirmation":"mail""#, #"confirmation must be one of none, external, not "mail""#),
        (#"\#(good),\#(on),"confirmation":"none","sign_up_lifetime":600"#, "no sign-up waits: confirmation is none"),
        (#"\#(good),\#(on),"attempts":{"burst":0}"#, "1 to 1000, not 0"),
    ]

    @Test(arguments: mistakes.indices)
    func refused(_ index: Int) throws {
        let (accounts, fault) = Self.mistakes[index]
        let found = try faults(accounts)
        #expect(found.contains { $0.contains(fault) }, "\(found)")
    }

    @Test func whatContradictsOthers() throws {
        #expect(
            try faults(Self.good, #","nonces":{"capacity":5}"#).contains {
                $0.contains("nonces.capacity has no meaning with")
            })
        #expect(
            try faults("", listeners: #"{"unix":"/nonexistent/p.sock","doors":["auth"]}"#) == [
                "2:52: listeners[0].doors opens auth, behind which there is nothing without accounts.data"
            ])
        #expect(try faults(Self.good, listeners: #"{"unix":"/nonexistent/p.sock","doors":["auth"]}"#).isEmpty)
    }

    @Test func good() throws {
        for more in [
            "", #","sessions":{"time_box":60,"single":true}"#, #","former_master_key_files":[]"#,
            #",\#(Self.on),"confirmation":"none""#,
            #",\#(Self.on),"attempts":{"burst":1,"refill":1},"attempts_by_address":{"burst":1}"#,
            #","passwords":{"enabled":false}"#, #","access_token_lifetime":299,"sessions":{"inactivity":300}"#,
        ] {
            #expect(try faults(Self.good + more) == [], "\(more)")
        }
        #expect(try faults("").isEmpty)
    }

    /// Members of members, by flags and variables too; over TCP the door auth is open where there are accounts.
    @Test func overTheFile() throws {
        let folder = try TemporaryFolder()
        let key = try AccountsDaemon.masterKey("master.key", in: folder)
        let file = try folder.file(
            containing: Data(#"{"providers":[\#(Self.provider)],"listeners":[{"tcp":"127.0.0.1:0"}]}"#.utf8))
        let run = try Invocation.run(
            [
                "config", "--effective", "--config", file.path, "--data", "\(folder.url.path)/data", "--set",
                "accounts.issuer=https://a.example", "--set", "accounts.sessions.single=true", "--format", "json",
            ],
            environment: ["POSTERN_ACCOUNTS_MASTER_KEY_FILE": key, "POSTERN_ACCOUNTS_SESSIONS_TIME_BOX": "600"])
        #expect(run.status == 0, "\(run.complaint)")
        let settings = try #require(run.json()["settings"] as? [[String: Any]])
        func value(_ name: String) -> String {
            "\(settings.first { $0["setting"] as? String == name }?["value"] ?? "none")"
        }
        #expect(value("accounts.sessions.single") == "1" || value("accounts.sessions.single") == "true")
        #expect(value("accounts.sessions.time_box") == "600")
        #expect(value("accounts.data") == "\(folder.url.path)/data")
    }
}
