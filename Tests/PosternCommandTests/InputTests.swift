import Foundation
import Testing

/// Where tokens and keys come from.
@Suite struct InputTests {
    private let options = ["--audience", TestIssuer.audience, "--no-nonce", "--format", "json"]

    private static let endings: [(before: String, after: String, code: String?)] = [
        ("", "", nil), ("", "\n", nil), ("", "\r\n", nil), ("", "\n\n", "token_malformed"),
        ("", "\r", "token_malformed"),
        ("", " \n", "token_malformed"), ("\n", "", "token_malformed"), ("\u{FEFF}", "", "token_malformed"),
        ("", "\r\r\n", "token_malformed"), ("", ".", "token_malformed"), ("", "\0", "token_malformed"),
    ]

    @Test(arguments: endings.indices)
    func tokenOnStandardInput(_ index: Int) throws {
        let ending = Self.endings[index]
        let input = try Data("\(ending.before)\(TestIssuer.rsa.get().token())\(ending.after)".utf8)
        for operand in [[], ["-"], ["--", "-"]] {
            let answer = try Invocation.verify(operand.first == "--" ? options : options + operand, input: input)
            #expect(answer.status == (ending.code == nil ? 0 : 1), "\(ending) \(answer.complaint)")
            #expect(try answer.json()["code"] as? String == ending.code)
        }
    }

    /// Who gives a path where the token itself is wanted is told so, whether there is such a file or not.
    @Test(arguments: [
        ("/nonexistent/token", "looks like the name of a file, which is not there"),
        ("./token.jwt", "looks like the name"),
        ("token.txt", "looks like the name of a file"), ("/etc/hostname", "TOKEN is the name of a file"),
        ("a.b.c", nil),
        ("eyJ.eyJ.sig-_", nil), ("token", nil),
    ])
    func pathsForTokens(_ operand: String, _ hint: String?) throws {
        let folder = try TemporaryFolder()
        let keys = try folder.file(containing: Data(TestIssuer.rsa.get().keySet.utf8)).path
        for command in [["inspect"], ["verify", "--audience", "a", "--no-nonce", "--keys", keys]] {
            let answer = try Invocation.run(command + [operand])
            #expect(answer.status == 1 && answer.complaint.isEmpty == (hint == nil), "\(answer.complaint)")
            if let hint { #expect(answer.complaint.contains(hint) && answer.complaint.contains("- < FILE")) }
        }
    }

    /// Who mixes up files and addresses is told so; who only mistypes the name of a file is not.
    @Test(arguments: [
        ("https://id.example.com/keys", "keys fetch --keys URL"), ("id.example.com/keys", "put https:// before it"),
        ("/nonexistent/keys.json", nil), ("keys.json", nil), ("./a.b/keys", nil), ("folder/keys.json", nil),
    ])
    func addressesForFiles(_ name: String, _ hint: String?) throws {
        let answer = try Invocation.run(["keys", "show", name])
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("cannot be read"))
        if let hint { #expect(answer.complaint.contains(hint)) }
        #expect(answer.complaint.split(separator: "\n").count == (hint == nil ? 1 : 2), "\(answer.complaint)")
    }

    @Test func nothingIsDroppedFromAnOperand() throws {
        let token = try TestIssuer.rsa.get().token()
        #expect(try Invocation.verify(options, token: token).status == 0)
        #expect(try Invocation.verify(options, token: token + "\n").status == 1)
    }

    @Test func optionsMayFollowTheToken() throws {
        let token = try TestIssuer.rsa.get().token()
        #expect(try Invocation.verify([token] + options).status == 0)
    }

    @Test func bytesThatAreNoUTF8() throws {
        let token = Data(try TestIssuer.rsa.get().token().utf8)
        for bytes in [Data([0xFF]) + token, token + Data([0xC3]), Data([0xEF, 0xBF, 0xBD]), Data()] {
            let answer = try Invocation.verify(options, input: bytes)
            #expect(answer.status == 1)
            #expect(try answer.json()["code"] as? String == "token_malformed")
        }
        let operand = try Invocation.shell(#""$0" inspect --format json "$(printf 'a\377')""#)
        #expect(operand.status == 1)
        #expect(try operand.json()["code"] as? String == "token_malformed")
    }

    @Test(arguments: ["verify", "inspect"])
    func largeAndEndlessInput(_ command: String) throws {
        let issuer = try TestIssuer.rsa.get()
        let folder = try TemporaryFolder()
        let keys = try folder.file(containing: Data(issuer.keySet.utf8))
        let options = command == "verify" ? ["--audience", "a", "--no-nonce", "--keys", keys.path] : []
        let arguments = [command, "--format", "json"] + options
        for (count, code) in [(16_384, "token_malformed"), (16_385, "token_too_large"), (16_388, "token_too_large")] {
            for ending in ["", "\n", "\r\n"] {
                let input = Data(repeating: 0x61, count: count) + Data(ending.utf8)
                let answer = try Invocation.run(arguments, input: input)
                #expect(answer.status == 1)
                #expect(try answer.json()["code"] as? String == code, "\(count)")
            }
        }
        let line = #"yes a.b.c | tr -d '\n' | "$0" "$@""#
        let answer = try Invocation.shell(line, arguments)
        #expect(answer.status == 1)
        #expect(try answer.json()["code"] as? String == "token_too_large")
    }

    @Test func closedStandardInput() throws {
        let answer = try Invocation.shell(#""$0" inspect <&-"#)
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("standard input"))
        #expect(try Invocation.shell(#""$0" inspect </"#).status == 2)
    }

    // MARK: - Key files

    private static let keyFiles: [(contents: String, message: String)] = [
        ("", "not JSON"), ("{", "not JSON"), ("[]", "not a JSON object"), (#"{"key":[]}"#, #"array "keys""#),
        (#"{"keys":{}}"#, #"array "keys""#), (#"{"kty":"RSA"}"#, "one JWK"), ("-----BEGIN PUBLIC KEY-----", "not PEM"),
        (#"{"a":"-----BEGIN CERTIFICATE-----"}"#, "X.509"), (#"{"keys":[],}"#, "not JSON"),
        (#"{"keys":[],"keys":[]}"#, "twice"),
        ("\u{FEFF}{\"keys\":[]}", "byte-order mark"), (String(repeating: "[", count: 100_000), "deep"),
        (String(repeating: " ", count: 1 << 20) + " ", "larger"),
    ]

    @Test(arguments: keyFiles.indices)
    func keyFileThatIsNone(_ index: Int) throws {
        let file = Self.keyFiles[index]
        let answer = try Invocation.verify(options, keys: file.contents, token: "a.b.c")
        #expect(answer.status == 2)
        #expect(answer.output.isEmpty)
        #expect(answer.complaint.contains(file.message), "\(answer.complaint)")
        #expect(!answer.complaint.contains("--help"), "the command line is right")
    }

    @Test func largestKeyFile() throws {
        let keys = try TestIssuer.rsa.get().keySet
        let padded = keys + String(repeating: " ", count: (1 << 20) - keys.utf8.count)
        #expect(try Invocation.verify(options, keys: padded, token: TestIssuer.rsa.get().token()).status == 0)
    }

    @Test(arguments: [
        ("/nonexistent/keys.json", "No such file"), ("/", "neither a file nor a pipe"), ("", "No such file"),
        ("/dev/zero", "larger"), ("/dev/null", "not JSON"), ("a\u{1B}[2J", #"\u{1B}"#),
    ])
    func unreadableKeyFile(_ path: String, _ message: String) throws {
        for arguments in [["keys", "show", path], ["verify", "--audience", "a", "--no-nonce", "t", "--keys", path]] {
            let answer = try Invocation.run(arguments)
            #expect(answer.status == 2)
            #expect(answer.output.isEmpty)
            #expect(answer.complaint.contains(message), "\(answer.complaint)")
        }
    }

    @Test func keysFromPipes() throws {
        let issuer = try TestIssuer.rsa.get()
        let line =
            #"printf '%s' "$1" | "$0" verify --audience "$3" --no-nonce --max-age none --at 1790000000 --keys /dev/stdin "$2""#
        let arguments = [issuer.keySet, try issuer.token(), TestIssuer.audience]
        #expect(try Invocation.shell(line, arguments).status == 0)
        let folder = try TemporaryFolder()
        let fifo = folder.url.appendingPathComponent("fifo").path
        let fifoLine = #"mkfifo "$2"; printf '%s' "$1" > "$2" & "$0" keys show "$2""#
        #expect(try Invocation.shell(fifoLine, [issuer.keySet, fifo]).status == 0)
    }

    @Test(arguments: ["/dev/stdin", "-"])
    func keysAndTokenFromOnePipe(_ keys: String) throws {
        let line = #"printf x | "$0" verify --audience a --no-nonce --keys "$1""#
        let answer = try Invocation.shell(line, [keys])
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("cannot both"))
    }

    @Test func keysOnStandardInput() throws {
        let issuer = try TestIssuer.rsa.get()
        let keys = Data(issuer.keySet.utf8)
        let shown = try Invocation.run(["keys", "show", "-"], input: keys)
        #expect(shown.status == 0 && shown.text.contains("Usable keys: 1"))
        let times = ["--max-age", "none", "--at", "1790000000"]
        let arguments = ["verify"] + options + times + ["--keys", "-", "--", try issuer.token()]
        #expect(try Invocation.run(arguments, input: keys).status == 0)
        let empty = try Invocation.run(["keys", "show", "-"])
        #expect(empty.status == 2)
        #expect(empty.complaint.contains("on standard input"))
    }

    /// A token in the place of a file is not repeated, and a file in the place of a token is told.
    @Test func placesMistaken() throws {
        let issuer = try TestIssuer.rsa.get()
        let token = try issuer.token()
        for arguments in [["keys", "show", token], ["verify", "--audience", "a", "--no-nonce", "--keys", token, "t"]] {
            let answer = try Invocation.run(arguments)
            #expect(answer.status == 2)
            #expect(answer.complaint.contains("looks like a token"))
            #expect(!answer.complaint.contains("eyJ"))
        }
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(token.utf8)).path
        let refused = try Invocation.verify(options, token: file)
        #expect(refused.status == 1)
        #expect(refused.complaint.contains("- < FILE"))
        let nothing = try Invocation.verify(options, input: Data("\n".utf8))
        #expect(nothing.status == 1)
        #expect(nothing.complaint.contains("standard input holds no token"))
    }

    /// What was added to a token on its way is told by its place.
    @Test func theFirstCharacterThatIsWrong() throws {
        for (token, message) in [
            ("e30.e30.A A", #"signature segment is not base64url without padding: its character 2 is " "."#),
            ("e30.e3+0.AA", #"payload segment is not base64url without padding: its character 3 is "+"."#),
            ("e30=.e30.AA", #"header segment is not base64url without padding: its character 4 is "="."#),
            ("e30.e3\"0.AA", #"its character 3 is "\"""#), ("e30.e30.A", "its end is cut off"),
            ("e30.e30.AB", "its end is cut off"), ("e30.\u{1B}[2J.AB", #"its character 1 is "\u{1B}""#),
            ("e30.é.AB", #"its character 1 is "\xC3""#),
        ] {
            let json = try Invocation.verify(options, token: token).json()
            #expect(json["code"] as? String == "token_malformed")
            #expect((json["message"] as? String)?.contains(message) == true, "\(json["message"] ?? "")")
        }
    }

    /// `PIPE` has one end only until the command has said that it waits for the other.
    private static let pipes: [(arguments: String, other: String, words: String)] = [
        ("check-config --config PIPE", #"cat "$3" > "$1""#, "waiting until somebody writes into the settings file"),
        ("doctor --offline --config PIPE", #"cat "$3" > "$1""#, "waiting until somebody writes into the settings file"),
        ("mint --key PIPE", #"cat "$4" > "$1""#, "waiting until somebody writes into --key"),
        ("mint --keys-out PIPE", #"cat "$1" > /dev/null"#, "waiting until somebody reads --keys-out"),
        ("keys show PIPE", #"cat "$5" > "$1""#, "waiting until somebody writes into the key file"),
    ]

    @Test(arguments: pipes.indices)
    func whoWaitsForAPipeSaysSo(_ index: Int) throws {
        let (arguments, other, words) = Self.pipes[index]
        let folder = try TemporaryFolder()
        let settings = try folder.file(containing: Data(SettingsRun.good().utf8), called: "settings.json").path
        let (pipe, log) = ("\(folder.url.path)/pipe", "\(folder.url.path)/log")
        let (key, keys) = ("\(folder.url.path)/key", "\(folder.url.path)/keys")
        #expect(try Invocation.run(["mint", "--key", key, "--keys-out", keys]).status == 0)
        let line = """
            mkfifo "$1"; "$0" \(arguments.replacingOccurrences(of: "PIPE", with: "\"$1\"")) > /dev/null 2> "$2" & command=$!
            count=0; until grep -q waiting "$2" || [ $count = 1200 ]; do count=$((count + 1)); sleep 0.1; done
            timeout 60 sh -c '\(other)' "$0" "$1" "$2" "$3" "$4" "$5"; wait $command; status=$?; cat "$2"; exit $status
            """
        let run = try Invocation.shell(line, [pipe, log, settings, key, keys])
        #expect(run.text.contains("postern: \(words) "), "\(run.text)")
        #expect(run.text.contains("which is a pipe\n") && run.text.filter { $0 == "\n" }.count == 1, "\(run.text)")
        #expect(run.status == 0 || arguments.hasPrefix("doctor") && [1, 4].contains(run.status), "\(run.status)")
    }
}
