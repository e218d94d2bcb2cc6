internal import PosternBase
internal import PosternTokens

/// A verdict for people. Everything that may come from the token goes through `Layout.plain`.
enum VerdictText {
    static func accepted(_ what: String, _ rows: [[String]], _ checks: [Check], _ style: Style) -> String {
        "\(style.good("ACCEPTED")) \(what)\n\(Layout.table(rows))\n\(list(checks, style))"
    }

    static func refused(_ refusal: Refusal, _ checks: [Check], _ style: Style, note: String? = nil) -> String {
        let explanation = [Layout.plain(refusal.message), note].compactMap { $0 }.joined(separator: "\n")
        return "\(style.bad("REFUSED")) \(refusal.code)\n\(explanation)\n\n\(list(checks, style))"
    }

    private static func list(_ checks: [Check], _ style: Style) -> String {
        let width = Check.Name.all.map { $0.rawValue.utf8.count }.max() ?? 0
        let lines = checks.map { check in
            let name = Layout.pad(check.name.rawValue, width)
            let line: String =
                switch check.result {
                case .passed: "\(style.good("ok  "))  \(name)  \(detail(check))"
                case .failed: "\(style.bad("FAIL"))  \(name)  \(detail(check))"
                case .skipped: style.faint("skip  \(name)  \(detail(check))")
                }
            return "  \(withoutTrailingSpace(line))\n"
        }
        return "\(style.heading("Checks:"))\n\(lines.joined())"
    }

    private static func withoutTrailingSpace(_ line: String) -> String {
        var line = line
        while line.utf8.last == 0x20 { line.removeLast() }
        return line
    }

    private static func detail(_ check: Check) -> String {
        let expected = check.expected.map { "expected \(check.name == .size ? "at most " : "")\(text($0, check.name))" }
        let seen = check.seen.map { "seen \(text($0, check.name))" }
        return [expected, seen].compactMap { $0 }.joined(separator: ", ")
    }

    private static func text(_ value: Check.Value, _ name: Check.Name) -> String {
        switch value {
        case .text(let text): Layout.plain(text)
        case .list(let texts): texts.isEmpty ? "nothing" : texts.map(Layout.plain).joined(separator: " or ")
        case .number(let number): self.number(number, name)
        }
    }

    private static func number(_ number: Int64, _ name: Check.Name) -> String {
        switch name {
        case .size: "\(number) bytes"
        case .age: "\(number) s"
        case .expiry, .notBefore, .issuedAt: time(number)
        default: "\(number)"
        }
    }

    static func time(_ seconds: Int64) -> String {
        Timestamp.utc(seconds).map { "\(seconds) (\($0))" } ?? "\(seconds)"
    }
}

/// Rows of a name and a value; those without a value are left out.
private func rows(_ members: [(String, String?)]) -> [[String]] {
    members.compactMap { name, value in value.map { [name, Layout.plain($0)] } }
}

extension VerifiedIdentity {
    /// What a person wants to know, in its order; the claims stand in the JSON form.
    var rows: [[String]] {
        PosternCommand.rows([
            ("subject", subject.description),
            ("issuer", issuer),
            ("audience", audience),
            ("email", email.map { "\($0) (\(isEmailVerified ? "verified" : "not verified")\(relayNote))" }),
            ("real user", realUserStatus.map(Self.realUserWord)),
            ("signed in", authenticationTime.map(VerdictText.time)),
            ("issued", VerdictText.time(issuedAt)),
            ("expires", VerdictText.time(expiresAt)),
            ("transfer sub", transferSubject?.description),
            ("organization", organizationID),
            ("tenant", tenantID),
            ("object ID", objectID),
        ])
    }

    private var relayNote: String { isPrivateRelay ? ", private relay" : "" }

    private static func realUserWord(_ status: Int64) -> String {
        switch status {
        case 0: "unsupported (0)"
        case 1: "unknown (1)"
        case 2: "likely real (2)"
        default: "\(status)"
        }
    }
}

extension VerifiedNotification {
    var rows: [[String]] {
        PosternCommand.rows([
            ("type", type),
            ("subject", subject?.description),
            ("id", id),
            ("happened", eventTime.map(VerdictText.time)),
            ("email", email.map { $0 + (isPrivateRelay == true ? " (private relay)" : "") }),
            ("issuer", issuer),
            ("audience", audience),
            ("issued", VerdictText.time(issuedAt)),
        ])
    }
}
