import Foundation
import PosternTestSupport
import Testing

/// Every block of every document is tried as it is printed, or there is a reason why not (`DocumentRule`).
@Suite(.onAThreadOfItsOwn) struct DocumentTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: TestPaths.package.appending(path: path), encoding: .utf8)
    }

    // MARK: - The table

    @Test func everyBlockIsTreated() throws {
        let blocks = try DocumentBlock.all()
        #expect(blocks.count > 50)
        for block in blocks where DocumentRule.treatment(of: block) == nil {
            Issue.record("a block without a rule in DocumentRule: \(block)")
        }
    }

    @Test func everyRuleIsNeeded() throws {
        let blocks = try DocumentBlock.all()
        for rule in DocumentRule.all {
            let isFirst = blocks.contains { block in
                guard let first = DocumentRule.all.first(where: { $0.fits(block) }) else { return false }
                return first.file == rule.file && first.beginning == rule.beginning
            }
            #expect(isFirst, "no block needs the rule \(rule.file): \(rule.beginning)")
        }
    }

    @Test func whatIsTriedElsewhereIs() throws {
        for rule in DocumentRule.all {
            let proof: Treatment.Proof
            switch rule.treatment {
            case .elsewhere(let given): proof = given
            case .file(_, _, let given): proof = given
            default: continue
            }
            #expect(try Self.text(proof.file).contains(proof.text), "\(proof.file) has no \(proof.text)")
        }
        // The targets that are said to run them do.
        let make = try Self.text("Makefile")
        #expect(make.contains("$(MAKE) api-check example") && make.contains("test-long: test browser test-deb"))
    }

    @Test func whatIsAFileIsThatFile() throws {
        for block in try DocumentBlock.all() {
            guard case .file(let path, let differing, _) = DocumentRule.treatment(of: block) else { continue }
            var file = try Self.text(path)
            if let differing { file = file.replacingOccurrences(of: differing.file, with: differing.here) }
            #expect(block.text == file, "\(block) is not \(path)")
        }
    }

    /// Each target that is named is one, as for `make` in running text.
    @Test func everyTargetIsOne() throws {
        let make = try Self.text("Makefile")
        for block in try DocumentBlock.all() {
            guard case .make = DocumentRule.treatment(of: block) else { continue }
            for line in block.text.split(separator: "\n") {
                #expect(line.hasPrefix("make ") && make.contains("\n\(line.dropFirst(5)):"), "\(line)")
            }
        }
    }

    // MARK: - Commands

    @Test(arguments: ["README.md", "Docs/Doctor.md", "Docs/Firebase.md", "Docs/Metrics.md"])
    func commandsDoWhatIsSaid(_ file: String) throws {
        let world = try DocumentWorld()
        var steps: [(block: DocumentBlock, status: Int32, prints: [String], whole: String?)] = []
        for block in try DocumentBlock.all() where block.file == file {
            guard case .run(let status, let prints, let whole) = DocumentRule.treatment(of: block) else { continue }
            steps.append((block, status, prints, whole))
        }
        #expect(!steps.isEmpty)
        let outcomes = try world.run(steps.map(\.block.text))
        for (step, outcome) in zip(steps, outcomes) {
            // Root is warned; nobody else is, where the clock is kept.
            let isSame = outcome.status == step.status || file == "Docs/Doctor.md" && outcome.status == 0
            #expect(isSame, "\(step.block) ended with \(outcome.status): \(outcome.output)")
            for text in step.prints {
                #expect(outcome.output.contains(text), "\(step.block) does not print \(text): \(outcome.output)")
            }
            guard let whole = step.whole else { continue }
            let isWhole = try Regex(whole).wholeMatch(in: outcome.output) != nil
            #expect(isWhole, "\(step.block) does not print \(whole) and nothing else: \(outcome.output)")
        }
    }

    /// Documents with commands are those that are run above.
    @Test func noDocumentIsLeftOut() throws {
        let files = try DocumentBlock.all().filter { block in
            if case .run = DocumentRule.treatment(of: block) { true } else { false }
        }.map(\.file)
        #expect(Set(files) == ["README.md", "Docs/Doctor.md", "Docs/Firebase.md", "Docs/Metrics.md"])
    }

    /// A pipe whose first half fails has failed, however its second half takes it.
    @Test func aPipeFailsWithEachOfItsParts() throws {
        let outcomes = try DocumentWorld().run(["false | cat", "true | cat"])
        #expect(outcomes.map(\.status) == [1, 0])
    }

    /// A nonce is good once: the README says so, and what it prints the second time.
    @Test func theSecondTimeItIsUsed() throws {
        let world = try DocumentWorld()
        let blocks = try DocumentBlock.all().filter {
            block in
            block.file == "README.md"
                && ["NONCE=$(curl", "TOKEN=$(curl", "curl -sS --unix"].contains { block.text.hasPrefix($0) }
        }
        #expect(blocks.count == 3)
        let outcomes = try world.run((blocks + blocks.suffix(1)).map(\.text))
        #expect(outcomes.last?.output.contains("nonce_used") == true, "\(outcomes)")
    }

    @Test func outputsAreWhatIsPrinted() throws {
        let world = try DocumentWorld()
        for block in try DocumentBlock.all() {
            guard case .output(let command) = DocumentRule.treatment(of: block) else { continue }
            let outcome = try world.run([command])[0]
            #expect(outcome.output + "\n" == block.text + "\n", "\(block)")
        }
    }

    @Test func transcriptsAreTrue() throws {
        let world = try DocumentWorld()
        let (nonce, token) = try world.signIn()
        var count = 0
        for block in try DocumentBlock.all() {
            guard case .transcript = DocumentRule.treatment(of: block) else { continue }
            let lines = block.text.replacingOccurrences(of: "\\\n", with: "").split(separator: "\n").map(String.init)
            let command = lines[0].replacingOccurrences(of: "eyJ…", with: token)
                .replacingOccurrences(of: "AcWA6D…", with: nonce)
            #expect(lines.count == 2)
            let outcome = try world.run([command.replacingOccurrences(of: "curl ", with: "curl -sS ")])[0]
            let pattern = try Regex(Self.pattern(lines[1]))
            #expect(try pattern.wholeMatch(in: outcome.output) != nil, "\(block): \(outcome.output)")
            count += 1
        }
        #expect(count == 2)
    }

    /// The same members in the same order, whatever their values, but for verdicts; an ellipsis for what is left out.
    private static func pattern(_ expected: String) -> String {
        var pattern = NSRegularExpression.escapedPattern(for: expected)
        for (found, put) in [
            (#":"(?!accepted|refused)[^"]*""#, #":"[^"]*""#), (#":[0-9]+"#, ":[0-9]+"), (",…", ",.*"),
        ] {
            pattern = pattern.replacingOccurrences(
                of: found, with: NSRegularExpression.escapedTemplate(for: put), options: .regularExpression)
        }
        return pattern
    }

    /// Every command of the page for operators is in the script that runs them as root under a systemd of its own.
    @Test func theScriptHasEveryLine() throws {
        let script = try Self.text("Tests/Packaging/guest.sh").components(separatedBy: "\n").compactMap {
            line -> String? in
            guard line.hasPrefix("run ") || line.hasPrefix("shows ") else { return nil }
            // What the script does with what is printed.
            return line.replacing(#/ (> /\S+( \|\| status=\$\?)?|\| tail -1)$/#, with: "")
        }
        let words = try Invocation.run(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", "run() { printf '%s\\n' \"$1\"; }; shows() { run \"$2\"; }\n" + script.joined(separator: "\n")],
            input: .nullDevice, environment: [:], output: nil)
        let lines = Set(words.text.components(separatedBy: "\n"))
        var count = 0
        for block in try DocumentBlock.all() {
            guard case .package = DocumentRule.treatment(of: block) else { continue }
            #expect(block.file == "Docs/Operating.md")
            for line in block.text.split(separator: "\n") {
                #expect(lines.contains(String(line)), "make test-deb does not run: \(line)")
                count += 1
            }
        }
        #expect(count > 10 && words.complaint.isEmpty, "\(words.complaint)")
    }

    // MARK: - Files

    @Test func settingsAreTaken() throws {
        let folder = try TemporaryFolder()
        var count = 0
        for block in try DocumentBlock.all() {
            guard case .settings = DocumentRule.treatment(of: block) else { continue }
            // This machine need not know them, nor have that file.
            let text = try AccountsDaemon.placed(block.text, in: folder)
                .replacingOccurrences(of: #""group": "backend""#, with: #""group": "0""#)
                .replacingOccurrences(of: #""allow_users": ["backend"]"#, with: #""allow_users": ["0"]"#)
                .replacingOccurrences(of: #""ca_file": "/etc/ssl/example-ca.pem","#, with: "")
            let file = try folder.file(containing: Data(text.utf8), called: "settings.json")
            let run = try Invocation.run(["doctor", "--offline", "--config", file.path])
            #expect(
                run.text.contains("settings.json: providers: ") && !run.text.contains("settings_"),
                "\(block): \(run.text)")
            count += 1
        }
        #expect(count >= 5)
    }

    @Test func vectorFilesPass() throws {
        let folder = try TemporaryFolder()
        for block in try DocumentBlock.all() {
            guard case .vectors = DocumentRule.treatment(of: block) else { continue }
            let file = try folder.file(containing: Data(block.text.utf8), called: "vectors.json")
            let run = try Invocation.run(["vectors", file.path])
            #expect(run.status == 0 && run.text.contains("1 passed, 0 failed"), "\(block): \(run.text)")
        }
    }

    // MARK: - Swift

    @Test func swiftCompiles() throws {
        let compiler = try SwiftCompiler()
        for block in try DocumentBlock.all() {
            guard case .snippet = DocumentRule.treatment(of: block) else { continue }
            let lines = block.text.components(separatedBy: "\n")
            let isImport: (String) -> Bool = { $0.hasPrefix("import ") }
            let body =
                lines.filter { !isImport($0) } + ["_ = identity"]
                + (block.text.contains("let verdict") ? ["_ = verdict"] : [])
            let text =
                lines.filter(isImport) + ["func snippet(token: String, rawNonce: String) async throws {"] + body + ["}"]
            let complaint = try compiler.complaint(about: [("Snippet.swift", text.joined(separator: "\n"))])
            #expect(complaint.isEmpty, "\(block): \(complaint)")
        }
        let program = try Self.text("Docs/Examples/Backend/Sources/Backend/main.swift")
        #expect(try compiler.complaint(about: [("main.swift", program)]).isEmpty)
        let backend = try Self.text("Docs/Examples/SignIn/SignIns.swift")
        let complaint = try compiler.complaint(about: [("SignIns.swift", backend)])
        #expect(complaint.isEmpty, "\(complaint)")
    }

    @Test func theAppCompilesAgainstDeclarations() throws {
        let compiler = try SwiftCompiler()
        var made = try compiler.make(module: "SwiftUI", SwiftUIStub.text)
        made += try compiler.make(module: "AuthenticationServices", AuthenticationServicesStub.text)
        #expect(made.isEmpty, "\(made)")
        let folder = "Docs/Examples/SignIn"
        let files = try ["AppBackend.swift", "AppleSignIn.swift", "SignInButton.swift"].map { name in
            // On Linux URLSession is in a module of its own, which the declarations hand on.
            let text = try Self.text("\(folder)/\(name)")
            return (name: name, text: name == "AppBackend.swift" ? "import AuthenticationServices\n" + text : text)
        }
        let complaint = try compiler.complaint(about: files)
        #expect(complaint.isEmpty, "\(complaint)")
        // The declarations refuse what is wrong: a check that takes all checks nothing. Apple's credential must stay where it is.
        for (part, wrong, word) in [
            ("request.nonce =", "request.nonces =", "nonces"),
            ("let identityToken: Data?", "let it: ASAuthorizationAppleIDCredential, identityToken: Data?", "Sendable"),
        ] {
            let changed = files.map { (name: $0.name, text: $0.text.replacingOccurrences(of: part, with: wrong)) }
            #expect(try compiler.complaint(about: changed).contains(word), "\(wrong)")
        }
    }

    // MARK: - The backend of the example

    /// What the app's side may send that it should not, to "backend.py".
    @Test func theBackendTakesNothingOddFromTheApp() throws {
        let world = try DocumentWorld()
        let start = try #require(
            try DocumentBlock.all().first { $0.file == "Docs/Firebase.md" && $0.text.hasPrefix("python3") })
        let url = "http://127.0.0.1:8713/sign-in"
        let asked = [
            "curl -sS -X POST \(url)/begin", "curl -sS -d '{' \(url)/finish",
            "curl -sS -d '[]' \(url)/finish", "curl -sS -d '{\"attempt\":[],\"identity_token\":1}' \(url)/finish",
            "curl -sS -d '{\"attempt\":\"x\",\"identity_token\":\"y\"}' \(url)/finish", "curl -sS -d '{}' \(url)/other",
        ]
        let codes = [
            "\"nonce_sha256\"", "body_malformed", "body_malformed", "body_malformed", "attempt_unknown", "path_unknown",
        ]
        let outcomes = try world.run([start.text] + asked).dropFirst()
        for (outcome, code) in zip(outcomes, codes) { #expect(outcome.output.contains(code), "\(outcome)") }
    }
    /// What is wrong with the settings of the backend is for its log, and the app learns no more than that it may try again.
    @Test(arguments: [
        ("postern.sock 8713 com.example.other", "no verdict: audience_unknown: "),
        ("none.sock 8713 com.example.app", "no verdict: [Errno 2] "),
        // It answers whatever is asked there, but not what is expected of the daemon.
        ("issuer.sock 8713 com.example.app", "no verdict: "),
    ])
    func theBackendSaysWhyThereIsNoVerdict(_ place: String, _ reason: String) throws {
        let world = try DocumentWorld()
        let start = try #require(
            try DocumentBlock.all().first { $0.file == "Docs/Firebase.md" && $0.text.hasPrefix("python3") })
        let changed = start.text.replacingOccurrences(of: "postern.sock 8713 com.example.app", with: place)
        let outcome = try world.run([changed, "curl -sS -X POST http://127.0.0.1:8713/sign-in/begin"])[1]
        #expect(outcome.output.contains(reason), "\(outcome)")
        #expect(outcome.output.hasSuffix("{\"code\": \"try_again\"}"), "\(outcome)")
    }
}
