import Foundation
import Testing

/// The manual pages, from the tables of the help and the settings.
@Suite struct ManualTests {
    private static func page(_ name: String) throws -> String {
        let answer = try Invocation.run(["manual", name])
        #expect(answer.status == 0 && answer.complaint.isEmpty)
        return answer.text
    }

    /// As a reader sees it: roff's escapes undone.
    private static func words(_ page: String) -> String {
        page.replacingOccurrences(of: "\\-", with: "-").replacingOccurrences(of: "\\e", with: "\\")
            .replacingOccurrences(of: "\\(dq", with: "\"")
    }

    @Test func everyCommandAndOptionIsThere() throws {
        let page = Self.words(try Self.page("postern"))
        let commands = try #require(
            try Invocation.run(["help", "--format", "json"]).json()["commands"] as? [[String: Any]])
        #expect(commands.count > 10)
        for command in commands {
            let name = try #require(command["command"] as? String)
            #expect(page.contains(".SS \"postern \(name)\"\n"))
            for option in try #require(command["options"] as? [[String: Any]]) {
                let name = try #require(option["option"] as? String)
                let value = (option["value"] as? String).map { " \($0)" } ?? ""
                #expect(page.contains(".B \"\(name)\(value)\"\n"), "\(name)")
            }
        }
    }

    @Test func everySettingIsThere() throws {
        let page = Self.words(try Self.page("postern.conf"))
        let settings = try #require(
            try Invocation.run(["settings", "--format", "json"]).json()["settings"] as? [[String: Any]])
        #expect(settings.count > 30)
        for setting in settings {
            let path = try #require(setting["setting"] as? String)
            #expect(page.contains(".TP\n.B \"\(path)\"\n"), "\(path)")
        }
    }

    /// The examples of the page are such as the daemon takes, but for their sockets.
    @Test func theExamplesAreTaken() throws {
        let page = Self.words(try Self.page("postern.conf"))
        #expect(page.contains(".SH \"FILES\"\n.TP\n.B \"/etc/postern/postern.conf\"\n"))
        let folder = try TemporaryFolder()
        let socket = folder.url.appendingPathComponent("no-such-folder/postern.sock").path
        let examples = page.components(separatedBy: ".EX\n").dropFirst().compactMap {
            $0.components(separatedBy: ".EE\n").first
        }
        #expect(examples.count == 2)
        for (example, code) in zip(examples, ["invalid", "system"]) {
            let settings = example.replacingOccurrences(of: "/run/postern/postern.sock", with: socket)
            let file = try folder.file(containing: Data(settings.utf8))
            let answer = try Invocation.run(["serve", "--config", file.path])
            #expect(answer.complaint.contains("listeners[0] cannot be opened (\(code))"), "\(answer.complaint)")
        }
    }

    /// No text of a table is taken for a request.
    @Test(arguments: ["postern", "postern.conf"])
    func onlyOurRequestsAreRequests(_ name: String) throws {
        let known = [".TH ", ".SH ", ".SS ", ".PP", ".TP", ".B ", ".br", ".EX", ".EE", ".nh", ".ad l"]
        for line in try Self.page(name).split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(known.contains { line.hasPrefix($0) }, "\(line)")
        }
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"), "groff is not installed"),
        arguments: ["postern", "postern.conf"]
    )
    func groffHasNoComplaint(_ name: String) throws {
        let line = #""$0" manual "$1" | groff -man -ww -Tutf8 -z"#
        let answer = try Invocation.shell(line, [name])
        #expect(answer.status == 0)
        #expect(answer.complaint.isEmpty, "\(answer.complaint)")
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc"), "mandoc is not installed"),
        arguments: ["postern", "postern.conf"]
    )
    func mandocHasNoComplaint(_ name: String) throws {
        let answer = try Invocation.shell(#""$0" manual "$1" | mandoc -T lint -W warning"#, [name])
        #expect(answer.status == 0 && answer.text.isEmpty, "\(answer.text)")
    }

    /// A heading begins a paragraph, and so does each request for one.
    @Test(arguments: ["postern", "postern.conf"])
    func noParagraphIsEmpty(_ name: String) throws {
        let lines = try Self.page(name).split(separator: "\n")
        let starts = [".SH ", ".SS ", ".PP", ".TP"]
        for (line, next) in zip(lines, lines.dropFirst()) where starts.contains(where: { line.hasPrefix($0) }) {
            #expect(
                !next.hasPrefix(".PP") && next != ".TP" || line.hasPrefix(".S") && next == ".TP", "\(line), \(next)")
        }
    }

    /// The day of what a package is made from, or of the version; and the version.
    @Test(arguments: [
        ("", #"\d{4}-\d\d-\d\d"#), ("1780000000", "2026-05-28"), ("x", #"\d{4}-\d\d-\d\d"#),
    ])
    func dates(_ epoch: String, _ date: String) throws {
        for (name, section) in [("postern", "1"), ("postern.conf", "5")] {
            let environment = epoch.isEmpty ? [:] : ["SOURCE_DATE_EPOCH": epoch]
            let page = try Invocation.run(["manual", name], environment: environment).text
            let words = try #require(page.split(separator: "\n").first).split(separator: "\"")
            #expect(words.count == 10 && words[3] == section, "\(words)")
            #expect(words[5].wholeMatch(of: try Regex(date)) != nil && words[7].hasPrefix("postern 0."), "\(words)")
        }
    }

    @Test(arguments: [["manual", "other"], ["completion", "csh"], ["manual"], ["completion"]])
    func whatThereIsNot(_ arguments: [String]) throws {
        #expect(try Invocation.run(arguments).status == 2)
    }
}

/// What completes command lines.
@Suite struct CompletionTests {
    private static let complete = """
        source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _postern; printf '%s\\n' "${COMPREPLY[@]}"
        """

    private static let lines: [(words: [String], found: [String])] = [
        (["ver"], ["verify"]), (["keys", ""], ["show", "fetch", "master", "rotate"]),
        (["keys", "fetch", "--is"], ["--issuer"]),
        (["verify", "--format", ""], ["text", "json"]), (["verify", "--provider", "a"], ["apple"]),
        (["verify", "--audience", ""], [""]), (["manual", "postern."], ["postern.conf"]),
        (["verify", "--algorithm", "Ed"], ["EdDSA"]), (["issuer", "--fault", "rotated"], ["rotated_key"]),
        (["mint", "--algorithm", "ES2"], ["ES256"]),
        (["serve", "--set", "log.l"], ["log.level="]), (["verify", "--notification", "--no-n"], ["--no-nonce"]),
        (["completion", "z"], ["zsh"]), (["verify", "--nonce-p"], ["--nonce-plain"]),
        (["serve", "--config", "/etc/hostnam"], ["/etc/hostname"]), (["nothing", "--x"], [""]),
    ]

    @Test(arguments: lines.indices)
    func bash(_ index: Int) throws {
        let (words, found) = Self.lines[index]
        let answer = try Invocation.run(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", Self.complete, Invocation.program.path, "postern"] + words,
            input: .nullDevice,
            environment: [:],
            output: nil
        )
        #expect(answer.text == found.joined(separator: "\n") + "\n")
        #expect(answer.complaint.isEmpty, "\(answer.complaint)")
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish"), "fish is not installed"),
        arguments: [
            ("postern ver", "verify"), ("postern keys ", "fetch master rotate show"),
            ("postern verify --provider a", "apple"),
            ("postern mint --keys-o", "--keys-out"), ("postern completion z", "zsh"),
        ])
    func fish(_ line: String, _ found: String) throws {
        let script = #""$0" completion fish | fish --no-config -c 'source; complete -C "$argv"' "$1""#
        let answer = try Invocation.shell(script, [line])
        let words = answer.text.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(words.sorted().joined(separator: " ") == found, "\(answer.complaint)")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh"), "zsh is not installed"))
    func zsh() throws {
        let script =
            #""$0" completion zsh | zsh -f -c 'autoload -U compinit; compinit -D -u; source /dev/stdin; whence _postern'"#
        let answer = try Invocation.shell(script)
        #expect(answer.text == "_postern\n", "\(answer.complaint)")
        #expect(answer.complaint.isEmpty, "\(answer.complaint)")
    }

    /// As a file of the system, which zsh reads at the first completion and which must then complete at once.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh"), "zsh is not installed"))
    func zshReadsTheFileWhenItNeedsIt() throws {
        let folder = try TemporaryFolder()
        let script = #"""
            "$0" completion zsh > "$1/_postern" && zsh -f -c 'compadd() { print -r -- "$@" }
            fpath=("$1"); autoload -U _postern; words=(postern ""); CURRENT=2; _postern' zsh "$1"
            """#
        let answer = try Invocation.shell(script, [folder.url.path])
        #expect(answer.text.hasPrefix("verify "), "\(answer.text)")
        #expect(answer.complaint.isEmpty, "\(answer.complaint)")
    }
}
