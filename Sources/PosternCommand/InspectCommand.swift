internal import PosternBase
internal import PosternJOSE
internal import PosternTokens

extension Command {
    static let inspect = Command(
        words: ["inspect"],
        summary: "Show what a token says, without verifying any of it",
        usage: ["[OPTION]... [TOKEN|-]"],
        ownOptions: [],
        operandCount: 0...1,
        notes: [
            "Without TOKEN, or when it is -, the token is read from standard input, where one newline at its end is dropped.",
            "What is shown proves nothing: anybody can write such a token. Use 'postern verify' before you believe it.",
        ],
        run: InspectCommand.run
    )
}

enum InspectCommand {
    /// Claims that are times.
    private static let times = ["exp", "iat", "nbf", "auth_time", "updated_at"]

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let token = try InputFile.token(arguments.operands.first)
        do throws(Refusal) {
            let contents = try read(token)
            return Answer(status: .success, json: json(contents)) { text(contents, $0) }
        } catch {
            InputFile.hintAtFile(arguments.operands.first)
            return refused(error)
        }
    }

    private struct Contents {
        let header: JSONValue
        let claims: JSONValue
    }

    private static func read(_ token: [UInt8]) throws(Refusal) -> Contents {
        var parts: (header: JSONValue, payload: JSONText)?
        do throws(JWSFault) {
            try token.withUnsafeBufferPointer { bytes throws(JWSFault) in
                try UnverifiedJWS.withParsed(bytes, maximumSize: TokenVerifier.maximumTokenSize) { jws in
                    parts = (jws.header.document.root, jws.payload)
                }
            }
        } catch {
            throw Refusal(RefusalCode(error), error.message)
        }
        guard let parts else { throw Refusal(.tokenMalformed, "The token could not be read.") }
        return Contents(header: parts.header, claims: try claims(parts.payload))
    }

    private static func claims(_ payload: JSONText) throws(Refusal) -> JSONValue {
        let claims: JSONValue
        do throws(JSONError) {
            claims = try payload.read().root
        } catch {
            throw Refusal(.claimsMalformed, "The payload is not JSON: \(error.message).")
        }
        guard claims.kind == .object else { throw Refusal(.claimsMalformed, "The payload is not a JSON object.") }
        return claims
    }

    // MARK: - Answers

    private static func json(_ contents: Contents) -> JSONOutput {
        .object([("verified", .bool(false)), ("header", .value(contents.header)), ("claims", .value(contents.claims))])
    }

    private static func text(_ contents: Contents, _ style: Style) -> String {
        """
        \(style.bad("NOT VERIFIED: anybody can write such a token."))

        \(style.heading("Header:"))
        \(Layout.table(contents.header.members.map { row($0.name, $0.value, isTime: false) }))
        \(style.heading("Claims:"))
        \(Layout.table(contents.claims.members.map { row($0.name, $0.value, isTime: times.containsBytes(of: $0.name)) }))
        """
    }

    private static func row(_ name: String, _ value: JSONValue, isTime: Bool) -> [String] {
        let text = Layout.plain(JSONOutput.value(value).text())
        let date = isTime ? value.flooredNumber.flatMap { Timestamp.utc($0.value) } : nil
        return [Excerpt.plain(name), date.map { "\(text) (\($0))" } ?? text]
    }

    private static func refused(_ refusal: Refusal) -> Answer {
        let json: [(String, JSONOutput)] = [
            ("verified", .bool(false)), ("code", .string(refusal.code.rawValue)), ("message", .string(refusal.message)),
        ]
        return Answer(status: .refused, json: .object(json)) { style in
            "\(style.bad("REFUSED")) \(refusal.code)\n\(Layout.plain(refusal.message))\n"
        }
    }
}
