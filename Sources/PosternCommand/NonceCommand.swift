internal import PosternBase
internal import PosternTokens

extension Option {
    static let check = Option(
        "check", takes: "RAW", "check that the operand HEX is the SHA-256 of this nonce in lower-case hex")
}

extension Command {
    static let nonce = Command(
        words: ["nonce"],
        summary: "Make a nonce for a sign-in, or check a hash of one",
        usage: ["[OPTION]...", "[OPTION]... --check RAW HEX"],
        ownOptions: [.check],
        operandCount: 0...1,
        notes: [
            "The app keeps the nonce and sends its hash to Apple; the server verifies the token with --nonce and the nonce."
        ],
        run: NonceCommand.run
    )
}

enum NonceCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        guard let raw = try arguments.text(of: .check) else {
            guard arguments.operands.isEmpty else { throw .usage("too many arguments: HEX goes with --check") }
            return fresh()
        }
        guard !arguments.operands.isEmpty else { throw .usage("HEX is missing: postern nonce --check RAW HEX") }
        return compare(raw, try arguments.text(ofOperand: 0, called: "HEX"))
    }

    private static func fresh() -> Answer {
        let nonce = Nonce.random()
        let hash = Nonce.sha256Hex(of: nonce)
        let json: [(String, JSONOutput)] = [("nonce", .string(nonce)), ("nonce_sha256", .string(hash))]
        return Answer(status: .success, json: .object(json)) { _ in
            "nonce         \(nonce)\nnonce_sha256  \(hash)\n"
        }
    }

    private static func compare(_ raw: String, _ hex: String) -> Answer {
        let finding = NonceFinding(raw: raw, hex: hex)
        let message = finding.explanation(of: "HEX") + "."
        let hash = Nonce.sha256Hex(of: raw)
        let json: [(String, JSONOutput)] = [
            ("matches", .bool(finding == .match)), ("finding", .string(finding.rawValue)),
            ("message", .string(message)), ("nonce_sha256", .string(hash)),
        ]
        return Answer(status: finding == .match ? .success : .refused, json: .object(json)) { style in
            guard finding != .match else { return "\(style.good("MATCH")) \(message)\n" }
            return
                "\(style.bad("NO MATCH")) \(finding.rawValue)\n\(message)\nThe hash of this nonce is \(hash)\n"
        }
    }
}
