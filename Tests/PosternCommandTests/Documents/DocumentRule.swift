/// What is done with a block to see that it is true.
enum Treatment: Sendable {
    /// Run by a shell in a folder like that of the repository, with a daemon beside it; blocks of a document one after the other in one
    /// shell. The status of the last command, what it must print, and a pattern of all that it prints.
    case run(status: Int32 = 0, prints: [String] = [], whole: String? = nil)
    /// Commands with what they print; values of members are placeholders.
    case transcript
    /// What this command prints there, to the byte.
    case output(of: String)
    /// Settings that the daemon takes.
    case settings
    /// A vector file whose cases pass.
    case vectors
    /// Lines of Swift that compile inside of a function.
    case snippet
    /// A file of the repository, with what is different in it; which test or command tries that file.
    case file(String, differing: (file: String, here: String)? = nil, triedBy: Proof)
    /// Tried by another test or script, in which this stands.
    case elsewhere(Proof)
    /// Every line is run by `make test-deb`, which has it in its script.
    case package
    /// For `make`, whose targets are what runs the tests.
    case make
    /// Nothing can be run: why.
    case nothing(String)

    /// A file of the repository and what must stand in it.
    struct Proof: Sendable {
        let file: String
        let text: String

        init(_ file: String, _ text: String) {
            self.file = file
            self.text = text
        }
    }
}

/// Which block is treated how.
struct DocumentRule: Sendable {
    let file: String
    /// How it begins.
    let beginning: String
    let treatment: Treatment

    init(_ file: String, _ beginning: String, _ treatment: Treatment) {
        self.file = file
        self.beginning = beginning
        self.treatment = treatment
    }

    func fits(_ block: DocumentBlock) -> Bool { block.file == file && block.text.hasPrefix(beginning) }

    /// The first rule that fits. JSON with listeners needs none: it must be settings, wherever it stands.
    static func treatment(of block: DocumentBlock) -> Treatment? {
        if let rule = all.first(where: { $0.fits(block) }) { return rule.treatment }
        return block.language == "json" && block.text.contains("\"listeners\"") ? .settings : nil
    }

    static let all: [DocumentRule] =
        readme + operating + issuer + [
            DocumentRule("Docs/Doctor.md", "postern doctor", .run(status: 4, prints: [" daemon ", "problems: 0"])),
            DocumentRule("Docs/HTTP-API.md", "curl --unix-socket", .transcript),
            DocumentRule("Docs/Firebase.md", "import Foundation", .example("AppBackend.swift")),
            DocumentRule(
                "Docs/Firebase.md", "import AuthenticationServices\n\n", .example("AppleSignIn.swift")),
            DocumentRule(
                "Docs/Firebase.md", "import AuthenticationServices\nimport SwiftUI\n",
                .example("SignInButton.swift")),
            DocumentRule("Docs/Firebase.md", "import Postern", .example("SignIns.swift")),
            DocumentRule("Docs/Firebase.md", "#!/usr/bin/env python3", .example("backend.py")),
            DocumentRule("Docs/Firebase.md", "python3 -B", .run()),
            DocumentRule(
                "Docs/Firebase.md", "BEGUN=$(curl",
                .run(prints: ["\"subject\": \"", "\"session\": \"", "{\"code\": \"attempt_unknown\"}"])),
            DocumentRule("Docs/Metrics.md", "curl -sS", .run(prints: ["postern_build_info{"])),
            DocumentRule("Docs/Metrics.md", "{ \"tcp\"", .metricsPage("[\"check-config\"")),
            DocumentRule("Docs/Metrics.md", "scrape_configs:", .metricsPage("[\"check\", \"config\"")),
            DocumentRule("Docs/Metrics.md", "groups:", .metricsPage("[\"check\", \"rules\"")),
            DocumentRule("Docs/Performance.md", "verify RS256  ours", .figures),
            DocumentRule("Docs/Performance.md", "server, start to", .figures),
            DocumentRule("Docs/Performance.md", "server, one thread", .figures),
            DocumentRule("Docs/Performance.md", "http, 1 connections", .figures),
            DocumentRule("Docs/Performance.md", "hash  ours", .figures),
            DocumentRule("Docs/Performance.md", "PosternBench 9 accounts sign-in", .figures),
            DocumentRule("Docs/Postern.docc/Postern.md", "import Postern", .snippet),
            DocumentRule(
                "Docs/Vectors.md", "TestVectors/encoding.json", .output(of: "postern vectors TestVectors/encoding.json")
            ),
            DocumentRule("TestVectors/README.md", "{\"format\"", .vectors),
        ]

    private static let token = ".build/release/postern verify --audience com.example.app"

    private static let readme = [
        DocumentRule("README.md", "make run", .make),
        DocumentRule("README.md", "ask() {", .run(whole: "")),
        DocumentRule("README.md", "SIGN_UP=$(ask", .run(prints: ["me@example.com", "password      yes"])),
        DocumentRule(
            "README.md", "SESSION=$(ask", .run(prints: ["{\"access_token\":\"eyJ", "\"method\":\"password\""])),
        DocumentRule("README.md", "ask -d \"{\\\"refresh_token", .run(prints: ["\"refreshed_at\":1"])),
        DocumentRule(
            "README.md", "NONCE=$(ask -X POST http://postern/v1/nonces | part nonce)",
            .run(prints: ["\"provider\":\"test\"", "\"email\":\"me@example.com\""])),
        DocumentRule(
            "README.md", "ask \"http://postern/v1/sessions?user",
            .run(prints: ["{\"sessions\":[{\"id\"", "{\"active\":false}", "session_ended", "sign_up_confirmed"])),
        DocumentRule("README.md", "NONCE=$(curl", .run(whole: "[A-Za-z0-9_-]{43,}\n")),
        DocumentRule("README.md", "TOKEN=$(curl", .run(prints: ["eyJ"])),
        DocumentRule("README.md", "curl -sS --unix-socket", .run(prints: ["{\"verdict\":\"accepted\""])),
        DocumentRule(
            "README.md",
            "\(token) --nonce 'raw nonce of the request' --keys TestVectors/example/apple-keys.jwks --at 1780000031",
            .run(prints: ["ACCEPTED"])),
        DocumentRule(
            "README.md",
            "\(token) --nonce 'raw nonce of the request' --keys TestVectors/example/apple-keys.jwks --at 1780003600",
            .run(status: 1, prints: ["token_too_old"])),
        DocumentRule(
            "README.md", ".build/release/postern verify --audience com.example.other",
            .run(status: 1, prints: ["{\"verdict\":\"refused\",\"code\":\"audience_mismatch\""])),
        DocumentRule("README.md", ".build/release/postern inspect", .run(prints: ["NOT VERIFIED", "RSA 2048"])),
        DocumentRule("README.md", ".build/release/postern mint", .run(prints: ["ACCEPTED"])),
        DocumentRule("README.md", ".build/release/postern nonce", .run(prints: ["nonce_sha256", "MATCH"])),
        DocumentRule("README.md", ".build/release/postern vectors", .run(prints: [" passed, 0 failed, 0 skipped"])),
        DocumentRule("README.md", "import Postern", .snippet),
        DocumentRule(
            "README.md", "// swift-tools-version",
            .file(
                "Docs/Examples/Backend/Package.swift", differing: (file: "../../..", here: "../postern"),
                triedBy: .init("Makefile", "swift build --package-path Docs/Examples/Backend"))),
        DocumentRule(
            "README.md", "import Glibc",
            .file(
                "Docs/Examples/Backend/Sources/Backend/main.swift",
                triedBy: .init("Makefile", "swift build --package-path Docs/Examples/Backend"))),
        // A build of its own, which takes minutes; `make test` has it.
        DocumentRule(
            "README.md", "swift run Backend",
            .elsewhere(.init("Makefile", "Backend 'raw nonce of the request' $(EXAMPLE)/apple-keys.jwks 1780000031"))),
        DocumentRule(
            "README.md", "../postern/.build/release/postern mint",
            .elsewhere(.init("Makefile", "mint --audience com.example.app --nonce abc --keys-out"))),
        // What is in the file there is no token, so that nobody is asked for keys.
        DocumentRule("README.md", "postern verify --audience", .run(status: 1, prints: ["token_malformed"])),
    ]

    private static let operating =
        [
            DocumentRule("Docs/Operating.md", "[Service]", .elsewhere(.init("Tests/Packaging/guest.sh", "blocks ini"))),
            DocumentRule(
                "Docs/Operating.md", "upstream postern", .elsewhere(.init("Tests/Packaging/guest.sh", "blocks nginx"))),
        ]
        + [
            "apt", "sed", "journalctl", "systemctl", "usermod", "systemd-analyze", "postern", "runuser", "curl",
            "install",
        ].map {
            DocumentRule("Docs/Operating.md", "\($0) ", .package)
        }

    /// On another port: somebody may have an issuer on the usual one.
    private static let issuer = [
        ("postern issuer", "postern issuer\\n"), ("{", "insecure_loopback"), ("TOKEN=$(curl", "/mint"),
        ("curl -sS -H 'Content-Type: application/json' -d '{\"faults\"", "/control/faults"),
        ("curl -sS -H 'Content-Type: application/json' -d '{}'", "/control/rotate"),
    ].map { beginning, part in
        DocumentRule(
            "Docs/Issuer.md", beginning,
            .elsewhere(.init("Tests/PosternCommandTests/Issuer/IssuerPageTests.swift", part)))
    }
}

extension Treatment {
    /// A file of the example of a sign-in, which `DocumentTests` compiles or runs.
    fileprivate static func example(_ name: String) -> Treatment {
        .file(
            "Docs/Examples/SignIn/\(name)",
            triedBy: .init("Tests/PosternCommandTests/Documents/DocumentTests.swift", "\"\(name)\""))
    }

    /// A block of the page about metrics, tried where this stands.
    fileprivate static func metricsPage(_ text: String) -> Treatment {
        .elsewhere(.init("Tests/PosternCommandTests/Daemon/MetricsPageTests.swift", text))
    }

    fileprivate static let figures = Treatment.nothing(
        "what one run on one machine has measured; `make bench` measures anew")
}
