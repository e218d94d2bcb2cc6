import Foundation
import Testing

@Suite struct MintTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func mint(_ arguments: [String]) throws -> [String: Any] {
        let answer = try Invocation.run(["mint", "--format", "json", "--algorithm", "EdDSA"] + arguments)
        #expect(answer.status == 0, "\(arguments) \(answer.complaint)")
        #expect(answer.complaint.isEmpty)
        return try answer.json()
    }

    private func claims(_ arguments: [String]) throws -> [String: Any] {
        try #require(mint(arguments)["claims"] as? [String: Any])
    }

    // MARK: - With verify

    /// Token and keys reach a command that runs at the same time; a key set of before is not taken for the new one.
    @Test func throughAPipe() throws {
        let line = #"""
            "$0" mint --audience com.example.app --nonce abc --keys-out "$1" |
                "$0" verify --audience com.example.app --nonce abc --keys "$1" -
            """#
        for _ in 0..<2 {
            let answer = try Invocation.shell(line, [path("keys.json")])
            #expect(answer.status == 0, "\(answer.text) \(answer.complaint)")
            #expect(answer.text.hasPrefix("ACCEPTED apple identity token"))
            #expect(answer.complaint.isEmpty)
        }
    }

    /// A FIFO for the keys is written before the token and read before it.
    @Test func throughAFIFO() throws {
        let line = #"""
            mkfifo "$1" && "$0" mint --keys-out "$1" |
                "$0" verify --audience com.example.app --no-nonce --keys "$1"
            """#
        #expect(try Invocation.shell(line, [path("fifo")]).status == 0)
    }

    private static let providers: [(mint: [String], verify: [String])] = [
        ([], []), (["--provider", "google"], ["--provider", "google"]),
        (["--provider", "microsoft"], ["--provider", "microsoft", "--tenant", "common"]),
        (["--provider", "facebook"], ["--provider", "facebook"]),
        (["--provider", "firebase"], ["--provider", "firebase"]),
        (["--provider", "oidc"], ["--provider", "oidc", "--issuer", "https://issuer.example"]),
        (
            ["--provider", "oidc", "--issuer", "i", "--algorithm", "ES256"],
            ["--provider", "oidc", "--issuer", "i", "--algorithm", "ES256"]
        ),
        (["--at", "2026-01-01T00:00:00Z", "--expires-in", "9"], ["--at", "2026-01-01T00:01:08Z"]),
        (["--claim", "aud=[\"com.example.app\"]"], []),
    ]

    @Test(arguments: providers.indices)
    func verifyAccepts(_ index: Int) throws {
        let (mint, verify) = Self.providers[index]
        let bound = ["--nonce-plain", "n", "--code", "c", "--access-token", "t"]
        let keys = path("keys.json")
        let token = try Invocation.run(["mint", "--keys-out", keys] + bound + mint)
        #expect(token.status == 0, "\(token.complaint)")
        #expect(token.text.split(separator: "\n").count == 1 && token.text.hasSuffix("\n"))
        let arguments = ["verify", "--audience", "com.example.app", "--keys", keys] + bound + verify
        let answer = try Invocation.run(arguments, input: token.output)
        #expect(answer.status == 0, "\(answer.text) \(answer.complaint)")
    }

    @Test func whatIsBentIsRefused() throws {
        let keys = path("keys.json")
        let cases: [([String], String)] = [
            (["--audience", "another"], "audience_mismatch"), (["--expires-in", "0", "--at", "1"], "token_expired"),
            (["--claim", "iss=\"x\""], "issuer_mismatch"), (["--without", "sub"], "subject_missing"),
            (["--without", "iat"], "claims_malformed"), (["--algorithm", "ES256"], "algorithm_not_allowed"),
            (["--header", "alg=\"none\""], "algorithm_not_allowed"),
            (["--header", "crit=[]"], "critical_header_unsupported"),
            (["--header", "kid=\"other\""], "key_not_found"), (["--kid", ""], "key_not_found"),
            (["--without", "kid"], "key_not_found"),
            (["--claim", "x=1", "--header", "typ=\"at+jwt\""], "not_an_identity_token"),
            (["--notification", "consent-revoked"], "not_an_identity_token"),
        ]
        for (options, code) in cases {
            let token = try Invocation.run(["mint", "--keys-out", keys] + options)
            let arguments = [
                "verify", "--audience", "com.example.app", "--no-nonce", "--keys", keys, "--format", "json",
            ]
            let answer = try Invocation.run(arguments, input: token.output)
            #expect(answer.status == 1)
            #expect(try answer.json()["code"] as? String == code, "\(options) \(answer.text)")
        }
    }

    // MARK: - What it says

    @Test func everythingIsTold() throws {
        let json = try mint(["--kid", "mine", "--at", "1790000000", "--without", "typ"])
        let token = try #require(json["token"] as? String)
        #expect(json["key_id"] as? String == "mine")
        #expect(json["algorithm"] as? String == "EdDSA")
        #expect((json["header"] as? [String: String]) == ["alg": "EdDSA", "kid": "mine"])
        let members = try #require((json["keys"] as? [String: [[String: String]]])?["keys"]?.first)
        #expect(Set(members.keys) == ["kty", "crv", "x", "use", "alg", "kid"])
        let claims = try #require(json["claims"] as? [String: Any])
        #expect(claims["iat"] as? Int == 1_790_000_000 && claims["exp"] as? Int == 1_790_086_400)
        #expect(claims["nonce"] == nil && claims["aud"] as? String == "com.example.app")
        let inspected = try Invocation.run(["inspect", "--format", "json", token]).json()
        let seen = try #require(inspected["claims"] as? [String: Any])
        #expect(NSDictionary(dictionary: seen) == NSDictionary(dictionary: claims))
    }

    @Test func valuesAreTakenAsTheyAre() throws {
        let claims = try mint(["--claim", #"n=12345678901234567890.10"#, "--claim", #"a={"b":[1,null,"="]}"#])
        let token = try #require(claims["token"] as? String)
        let text = try Invocation.run(["inspect", token]).text
        #expect(text.contains("12345678901234567890.10") && text.contains(#"{"b":[1,null,"="]}"#))
        #expect(try self.claims(["--claim", "email=null"])["email"] is NSNull)
        #expect(try self.claims(["--audience", "a", "--audience", "b"])["aud"] as? [String] == ["a", "b"])
        #expect(try self.claims(["--without", "email"])["email"] == nil)
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try self.claims(["--nonce", "abc"])["nonce"] as? String == hash)
        #expect(try self.claims(["--subject", "me", "--provider", "firebase"])["user_id"] as? String == "me")
        let tenant = try self.claims(["--provider", "microsoft", "--tenant", "t"])
        #expect(tenant["tid"] as? String == "t")
        #expect(tenant["iss"] as? String == "https://login.microsoftonline.com/t/v2.0")
    }

    @Test func whoKeepsNoKeyIsTold() throws {
        let answer = try Invocation.run(["mint", "--algorithm", "EdDSA"])
        #expect(answer.status == 0)
        #expect(answer.complaint.contains("--keys-out"))
    }

    // MARK: - Keys

    @Test(arguments: ["RS256", "ES256", "EdDSA"])
    func theSameKeyMintsAgain(_ algorithm: String) throws {
        let key = path("key.pem")
        let first = try Invocation.run(["mint", "--key", key, "--algorithm", algorithm, "--format", "json"]).json()
        let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let pem = try Data(contentsOf: URL(filePath: key))
        let second = try Invocation.run(["mint", "--key", key, "--keys-out", path("keys.json"), "--format", "json"])
        #expect(second.complaint.isEmpty)
        #expect(
            try NSDictionary(object: first["keys"] as Any, forKey: "k" as NSString)
                == NSDictionary(object: second.json()["keys"] as Any, forKey: "k" as NSString))
        #expect(try second.json()["algorithm"] as? String == algorithm)
        #expect(try Data(contentsOf: URL(filePath: key)) == pem)
        let file = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path("keys.json"))))
        #expect(try (file as? NSDictionary) == second.json()["keys"] as? NSDictionary)
        let piped = try Invocation.run(["mint", "--key", "-", "--format", "json"], input: pem).json()
        #expect(piped["key_id"] as? String == first["key_id"] as? String)
    }

    @Test func keysThatCannotBeUsed() throws {
        let broken = try folder.file(containing: Data("x".utf8), called: "broken").path
        let large = try folder.file(containing: Data(count: 65_537), called: "large").path
        for (file, message) in [
            (broken, "unencrypted PEM"), (large, "larger"), (folder.url.path, "neither a file nor a pipe"),
            ("/nonexistent/key.pem", "cannot be written: No such file"), ("/dev/null", "unencrypted PEM"),
        ] {
            let answer = try Invocation.run(["mint", "--key", file, "--keys-out", path("keys.json")])
            #expect(answer.status == 2)
            #expect(answer.output.isEmpty)
            #expect(answer.complaint.contains(message), "\(answer.complaint)")
            #expect(!FileManager.default.fileExists(atPath: path("keys.json")))
        }
        #expect(try Data(contentsOf: URL(filePath: broken)) == Data("x".utf8))
    }

    @Test func keySetThatCannotBeWritten() throws {
        for file in ["/nonexistent/keys.json", "/", "-", "/dev/full"] {
            let answer = try Invocation.run(["mint", "--algorithm", "EdDSA", "--keys-out", file])
            #expect(answer.status == 2)
            #expect(answer.output.isEmpty, "no token without its keys")
            #expect(answer.complaint.contains("--keys-out '\(file)'"), "\(answer.complaint)")
        }
    }

    // MARK: - Mistakes

    private static let mistakes: [(arguments: [String], message: String)] = [
        (["x"], "too many"), (["--provider", "x"], "--provider takes"),
        (["--algorithm", "HS256"], "--algorithm takes"),
        (["--algorithm", "RS256", "--algorithm", "RS256"], "twice"), (["--tenant", "t"], "only for"),
        (["--nonce", "a", "--nonce-plain", "a"], "exclude"), (["--no-nonce"], "no option"),
        (["--at", "now"], "--at takes"), (["--expires-in", "-1"], "seconds"),
        (["--expires-in", "1099511627776"], "2^40"),
        (["--claim", "x"], "NAME=JSON"), (["--claim", "=1"], "NAME=JSON"), (["--claim", "x="], "not JSON"),
        (["--claim", "x=a@b"], "--claim 'x=\"…\"'"), (["--claim", "x=1 2"], "not JSON"),
        (["--claim", "x={\"a\":1,\"a\":1}"], "twice"),
        (["--claim", "x=1", "--claim", "x=2"], "given twice"), (["--header", "x=1", "--header", "x=1"], "given twice"),
        (["--header", "typ=JWT"], "--header 'typ="), (["--claim", "x=1", "--without", "x"], "same claim"),
        (["--without", "nonsense"], "neither"), (["--without", "email", "--without", "email"], "neither"),
        (["--notification", "t", "--nonce", "n"], "--nonce"), (["--notification", "t", "--code", "c"], "--code"),
        (["--notification", "t", "--access-token", "c"], "--access-token"),
        (["--notification", "t", "--nonce-plain", "c"], "--nonce-plain"),
        (["--notification", "t", "--provider", "google"], "google sends no notifications"),
        (["--key", "k", "--keys-out", "k"], "same file"),
    ]

    @Test(arguments: mistakes.indices)
    func mistake(_ index: Int) throws {
        let mistake = Self.mistakes[index]
        let answer = try Invocation.run(["mint"] + mistake.arguments)
        #expect(answer.status == 2, "\(mistake)")
        #expect(answer.output.isEmpty)
        #expect(answer.complaint.contains(mistake.message), "\(mistake.arguments): \(answer.complaint)")
        #expect(answer.complaint.hasSuffix("Try 'postern mint --help' for more information.\n"))
    }

    /// However the same file is spelled, the key is not lost.
    @Test(arguments: ["key.pem", "./key.pem", "link", "folder/../key.pem", "folderlink/key.pem"], [true, false])
    func aKeySetNeverTakesTheKeysPlace(_ spelling: String, _ isThere: Bool) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: path("folder"), withIntermediateDirectories: false)
        try files.createSymbolicLink(atPath: path("link"), withDestinationPath: "key.pem")
        try files.createSymbolicLink(atPath: path("folderlink"), withDestinationPath: ".")
        if isThere { #expect(try Invocation.run(["mint", "--key", path("key.pem")]).status == 0) }
        let before = files.contents(atPath: path("key.pem"))
        let answer = try Invocation.run(["mint", "--key", path("key.pem"), "--keys-out", path(spelling)])
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("same file"))
        #expect(before == nil || files.contents(atPath: path("key.pem")) == before)
        #expect(files.contents(atPath: path("key.pem")).map { !$0.starts(with: Data("{".utf8)) } ?? true)
    }

    /// A private key is not taken for an old key set, whatever it is called; key sets and empty files are replaced.
    @Test func whatIsNoKeySetIsNotReplaced() throws {
        #expect(try Invocation.run(["mint", "--key", path("key.pem"), "--keys-out", path("keys.json")]).status == 0)
        let key = try Data(contentsOf: URL(filePath: path("key.pem")))
        let answer = try Invocation.run(["mint", "--keys-out", path("key.pem")])
        #expect(answer.status == 2)
        #expect(answer.output.isEmpty)
        #expect(answer.complaint.contains("is no key set"))
        #expect(try Data(contentsOf: URL(filePath: path("key.pem"))) == key)
        try Data().write(to: URL(filePath: path("empty")))
        for name in ["keys.json", "empty", "new"] {
            #expect(try Invocation.run(["mint", "--keys-out", path(name)]).status == 0)
        }
    }

    /// A key that could not be written whole leaves nothing that a later run would stumble over.
    @Test(.disabled(if: ProcessState.hasSanitizer, "a sanitizer has files of its own to write"))
    func halfAKeyIsNoKey() throws {
        let line = "trap '' XFSZ; ulimit -f 1; exec \"$0\" mint --algorithm RS256 --key \"$1\""
        let answer = try Invocation.shell(line, [path("key.pem")])
        #expect(answer.status == 2, "\(answer.complaint)")
        #expect(!FileManager.default.fileExists(atPath: path("key.pem")))
    }

    /// Nothing is written for an order that makes no sense.
    @Test func mistakesLeaveNoFiles() throws {
        let files = ["--key", path("key.pem"), "--keys-out", path("keys.json")]
        #expect(try Invocation.run(["mint", "--without", "nonsense"] + files).status == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        #expect(try Invocation.run(["mint", "--algorithm", "ES256"] + files).status == 0)
        let misfit = try Invocation.run(["mint", "--algorithm", "RS256"] + files)
        #expect(misfit.status == 2)
        #expect(misfit.complaint.contains("--algorithm RS256 does not fit"))
    }
}
