import Foundation
import Glibc
import PosternTestSupport
import Testing

/// `postern serve --development`: what it prints works when it is pasted, and so do the clients of the documentation.
@Suite(.onAThreadOfItsOwn) struct ServeDevelopmentTests {
    private struct Trial {
        let daemon: DaemonProcess
        let folder: String

        init(_ name: String = "de v") throws {
            let temporary = try TemporaryFolder()
            folder = temporary.url.appendingPathComponent(name).path
            daemon = try DaemonProcess(arguments: ["--development", folder], in: temporary)
            try daemon.wait(for: "listening", count: 2)
        }

        func issuer() throws -> String {
            let text = try String(contentsOfFile: "\(folder)/issuer-url", encoding: .utf8)
            return text.trimmingCharacters(in: .newlines)
        }

        /// The lines to paste, once all have come.
        func guide() throws -> String {
            try daemon.wait("no guide") { lines in
                // The last line asks for the keys.
                guard lines.contains(where: { $0.hasSuffix("/v1/keys; echo") }) else { return nil }
                // What the daemon logs may come after it.
                return lines.drop { !$0.hasPrefix("# a nonce") }.filter { !$0.hasPrefix("{\"time\"") }
                    .joined(separator: "\n")
            }
        }
    }

    @Test func whatItPrintsWorks() throws {
        let trial = try Trial()
        let run = try Invocation.shell(trial.guide())
        #expect(run.status == 0)
        #expect(run.complaint.isEmpty, "\(run.complaint)")
        let lines = run.text.components(separatedBy: "\n").filter { !$0.isEmpty }
        #expect(lines.count == 14)
        #expect(
            lines[2].hasPrefix(
                #"{"verdict":"accepted","identity":{"provider":"test","issuer":"\#(try trial.issuer())""#))
        #expect(lines[3].contains("nonce_used"))
        // The sign-up, the account, its session, the next tokens, the same account by a provider, and by it alone.
        let account = try #require(lines[5].firstMatch(of: /"id":"([0-9a-f-]{36})"/)?.1)
        #expect(lines[4].count == 36 && lines[5].contains(#""email":"me@example.com","email_proven":true"#))
        for line in lines[6...8] { #expect(line.contains(#""account":{"id":"\#(account)""#)) }
        #expect(lines[8].contains(#""provider":"test""#))
        #expect(lines[10].components(separatedBy: #""account":"\#(account)""#).count == 4)
        #expect(lines[10].contains(lines[9]) && lines[11].contains(#""crv":"P-256""#))
        #expect(lines[12].contains(#""jwks_uri":"http://127.0.0.1:"#) && lines[13].contains(#""freshness":"fresh""#))
    }

    /// Whoever verifies access tokens by discovery gets from the issuer that they name to the keys, also where several daemons are tried.
    @Test func theIssuerOfAccountsIsWhereItSays() throws {
        var ports: Set<Int> = []
        for trial in try [Trial("one"), Trial("two")] {
            let port = try #require(try trial.daemon.wait(for: "listening", count: 2)["port"] as? Int)
            ports.insert(port)
            func fetch(_ url: String) throws -> [String: Any] {
                let run = try Invocation.shell("curl -sS \(url)")
                return try #require(JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
            }
            let document = try fetch("http://127.0.0.1:\(port)/.well-known/openid-configuration")
            #expect(document["issuer"] as? String == "http://127.0.0.1:\(port)")
            let keys = try fetch(try #require(document["jwks_uri"] as? String))
            #expect((keys["keys"] as? [Any])?.isEmpty == false)
            let settings = try String(contentsOfFile: "\(trial.folder)/settings.json", encoding: .utf8)
            #expect(settings.contains(#""tcp": "127.0.0.1:\#(port)""#))
            #expect(settings.contains(#""issuer": "http://127.0.0.1:\#(port)""#))
        }
        #expect(ports.count == 2)
    }

    /// A port that somebody else has at a later start is told, not replaced: tokens name it.
    @Test func theDaemonStaysWhereItWas() throws {
        let trial = try Trial()
        let port = try #require(try trial.daemon.wait(for: "listening", count: 2)["port"] as? Int)
        trial.daemon.signal(SIGTERM)
        #expect(trial.daemon.end() == 0)
        let other = try DaemonProcess(
            command: [Invocation.program.path, "issuer", "--port", "\(port)"], in: TemporaryFolder())
        try other.wait(for: "issuer_listening")
        let run = try Invocation.run(["serve", "--development", trial.folder])
        #expect(run.status == 2)
        #expect(run.complaint.contains("Another program listens on 127.0.0.1:\(port)"), "\(run.complaint)")
        other.signal(SIGTERM)
        #expect(other.end() == 0)
        let again = try DaemonProcess(arguments: ["--development", trial.folder], in: trial.daemon.folder)
        #expect(try again.wait(for: "listening", count: 2)["port"] as? Int == port)
    }

    /// A second start finds what the first has made, changed or not.
    @Test func theFolderIsKept() throws {
        let trial = try Trial()
        trial.daemon.signal(SIGTERM)
        #expect(trial.daemon.end() == 0)
        let settings = URL(fileURLWithPath: trial.folder).appendingPathComponent("settings.json")
        let changed = try String(contentsOf: settings, encoding: .utf8).replacingOccurrences(
            of: "com.example.app", with: "other")
        try changed.write(to: settings, atomically: false, encoding: .utf8)
        let names = ["issuer-key.pem", "issuer-url", "api-key", "settings.json"]
        let contents = names.map {
            try? Data(contentsOf: settings.deletingLastPathComponent().appendingPathComponent($0))
        }
        let again = try DaemonProcess(arguments: ["--development", trial.folder], in: trial.daemon.folder)
        try again.wait(for: "listening", count: 2)
        #expect(
            names.map { try? Data(contentsOf: settings.deletingLastPathComponent().appendingPathComponent($0)) }
                == contents)
        for name in names {
            let path = settings.deletingLastPathComponent().appendingPathComponent(name).path
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        }
    }

    /// The settings name the issuer's port, so it is there again or says that it cannot be.
    @Test func theIssuerStaysWhereItWas() throws {
        let trial = try Trial()
        let url = try trial.issuer()
        trial.daemon.signal(SIGTERM)
        #expect(trial.daemon.end() == 0)
        let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
        let other = try DaemonProcess(
            command: [Invocation.program.path, "issuer", "--port", "\(port)"], in: TemporaryFolder())
        try other.wait(for: "issuer_listening")
        let run = try Invocation.run(["serve", "--development", trial.folder])
        #expect(run.status == 2)
        #expect(run.complaint.contains("the issuer cannot listen on port \(port) (in_use)"))
        other.signal(SIGTERM)
        #expect(other.end() == 0)
        let again = try DaemonProcess(arguments: ["--development", trial.folder], in: trial.daemon.folder)
        #expect(try again.wait(for: "issuer_listening")["issuer"] as? String == url)
        try again.wait(for: "keys_replaced")
    }

    @Test func aFolderOfBeforeIsRefused() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o700)
        _ = try folder.file(containing: Data(), called: "settings.json")
        let run = try Invocation.run(["serve", "--development", folder.url.path])
        #expect(run.status == 2)
        #expect(run.complaint.contains("no issuer-url"))
    }

    @Test func aFolderOfOthersIsRefused() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o777)
        let run = try Invocation.run(["serve", "--development", folder.url.path])
        #expect(run.status == 2)
        #expect(run.complaint.contains("nobody else may write"))
    }

    @Test func aFileIsNoFolder() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(), called: "settings.json").path
        let run = try Invocation.run(["serve", "--development", file])
        #expect(run.status == 2 && run.complaint.contains("\"\(file)\" is no folder"), "\(run.complaint)")
    }

    // MARK: - Clients

    private static let clients: [(name: String, words: [String])] = {
        let folder = TestPaths.package.appending(path: "Docs/Examples/Clients")
        let swift = Invocation.program.deletingLastPathComponent().appendingPathComponent("PosternExampleClient").path
        return [
            ("shell", ["/bin/sh", folder.appending(path: "client.sh").path]),
            ("Python", ["/usr/bin/python3", "-B", folder.appending(path: "client.py").path]), ("Swift", [swift]),
        ]
    }()

    @Test(arguments: clients.indices)
    func theClientsWork(index: Int) throws {
        let client = Self.clients[index].words
        let trial = try Trial()
        let socket = "\(trial.folder)/postern.sock"
        func run(_ arguments: [String], _ input: String = "") throws -> Invocation {
            try Self.run(client, [socket] + arguments, input, in: trial.daemon.folder)
        }
        let words = try run(["nonce"]).text.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(words.count == 2)
        let nonce = try #require(words.first)
        // The key of the issuer is in the folder, so the command can sign for it too.
        let token = try Invocation.run([
            "mint", "--provider", "oidc", "--issuer", trial.issuer(), "--audience", "com.example.app", "--key",
            "\(trial.folder)/issuer-key.pem", "--nonce", nonce,
        ]).text
        let accepted = try run(["verify", nonce], token)
        #expect(accepted.status == 0, "\(accepted.complaint)")
        #expect(accepted.text == "signed in: test-person of \(try trial.issuer())\n")
        let used = try run(["verify", nonce], token)
        #expect(used.status == 1)
        #expect(used.text == "refused: nonce_used\n")
        #expect(used.complaint.contains("was used before"), "\(used.complaint)")
        for arguments in [[], ["verify"], ["nothing"], ["nonce", "a", "b"]] { #expect(try run(arguments).status == 2) }
        // What a stranger hands in stays a token.
        let hostile = try run(["verify", nonce], #"x","explain":true,"nonce":"y"# + "\n")
        #expect(hostile.status == 1)
        #expect(hostile.text == "refused: token_malformed\n")
        trial.daemon.signal(SIGTERM)
        #expect(trial.daemon.end() == 0)
        for arguments in [["nonce"], ["verify", nonce]] {
            let alone = try run(arguments, token)
            #expect(alone.status == 3)
            #expect(alone.text.isEmpty && alone.complaint.contains("no verdict: "), "\(alone.complaint)")
        }
    }

    private static func run(
        _ client: [String],
        _ arguments: [String],
        _ input: String = "",
        in folder: TemporaryFolder,
        environment: [String: String] = [:]
    ) throws -> Invocation {
        let file = try folder.file(containing: Data(input.utf8), called: "token")
        return try Invocation.run(
            URL(fileURLWithPath: client[0]), Array(client.dropFirst()) + arguments,
            input: FileHandle(forReadingFrom: file), environment: environment, output: nil)
    }

    /// Over TCP with the key, and what they say without it.
    @Test(arguments: [0, 1])
    func theClientsWorkOverTCP(index: Int) throws {
        let trial = try Trial()
        let folder = trial.daemon.folder
        let port = try #require(try trial.daemon.wait(for: "listening", count: 2)["port"] as? Int)
        let key = try String(contentsOfFile: "\(trial.folder)/api-key", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        let place = ["127.0.0.1:\(port)", "nonce"]
        let good = try Self.run(
            Self.clients[index].words, place, in: folder, environment: ["POSTERN_API_KEY": key])
        #expect(good.status == 0, "\(good.complaint)")
        #expect(good.text.split(whereSeparator: \.isWhitespace).count == 2)
        let bad = try Self.run(Self.clients[index].words, place, in: folder)
        #expect(bad.status == 3)
        #expect(bad.text.isEmpty && bad.complaint.contains("no verdict: api_key_missing: "), "\(bad.complaint)")
    }

    /// A connection that the daemon has ended is made anew, also by another daemon.
    @Test func thePythonClientOutlivesItsConnection() throws {
        let folder = try TemporaryFolder()
        let more = #""limits":{"idle_seconds":1}"#
        let daemon = try DaemonIssuer.daemon(more: more, in: folder)
        try daemon.wait(for: "listening")
        let script = """
            import select, sys
            sys.path.insert(0, sys.argv[1])
            from client import Postern
            postern = Postern(sys.argv[2])
            for word in sys.stdin:
                if word == "idle\\n":
                    select.select([postern.connection.sock], [], [], 60)
                print(len(postern.nonce()["nonce"]), flush=True)
            """
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        python.arguments = [
            "-B", "-c", script, TestPaths.package.appending(path: "Docs/Examples/Clients").path, daemon.socket,
        ]
        let (input, output) = (Pipe(), Pipe())
        python.standardInput = input
        python.standardOutput = output
        try python.run()
        defer { if python.isRunning { python.terminate() } }
        func ask(_ word: String) throws -> String {
            try input.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
            // A line may come in pieces.
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                let piece = output.fileHandleForReading.piece()
                guard !piece.isEmpty else { break }
                line += piece
            }
            return String(decoding: line, as: UTF8.self)
        }
        #expect(try ask("first") == "82\n")
        #expect(try ask("idle") == "82\n")
        daemon.signal(SIGKILL)
        #expect(daemon.end() == -SIGKILL)
        let next = try DaemonIssuer.daemon(more: more, in: folder)
        try next.wait(for: "listening")
        #expect(try ask("again") == "82\n")
        try input.fileHandleForWriting.close()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
        next.signal(SIGTERM)
        #expect(next.end() == 0)
    }
}
