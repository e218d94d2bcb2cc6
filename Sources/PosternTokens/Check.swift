package import PosternBase

/// One thing that was looked at on the way to a verdict.
public struct Check: Sendable, Equatable {
    /// The checks in the order in which they are made; the first that fails decides the code.
    public enum Name: String, Sendable, CaseIterable {
        case size, form, header, algorithm, critical, claims, issuer, key, signature, kind, audience
        case authorizedParty = "authorized_party"
        case subject, expiry
        case notBefore = "not_before"
        case issuedAt = "issued_at"
        case age
        case accessTokenHash = "access_token_hash"
        case codeHash = "code_hash"
        case nonce
    }

    public enum Result: String, Sendable { case passed, failed, skipped }

    /// What was wanted or found: a text, several of which one is enough, or a number.
    public enum Value: Sendable, Equatable {
        case text(String)
        case list([String])
        case number(Int64)
    }

    public let name: Name
    public let result: Result
    public let expected: Value?
    public let seen: Value?
}

extension Check {
    package var json: JSONOutput {
        var members: [(String, JSONOutput)] = [("check", .string(name.rawValue)), ("result", .string(result.rawValue))]
        if let expected { members.append(("expected", expected.json)) }
        if let seen { members.append(("seen", seen.json)) }
        return .object(members)
    }
}

extension Check.Value {
    package var json: JSONOutput {
        switch self {
        case .text(let text): .string(text)
        case .list(let texts): .strings(texts)
        case .number(let number): .integer(number)
        }
    }

    static func optional(_ text: String?) -> Check.Value? {
        text.map { .text(Excerpt.plain($0)) }
    }
}

/// Takes down each check as it is made. Verification is compiled once with a recorder and once with none, so that nobody
/// pays for an explanation that was not asked for.
protocol CheckRecorder {
    mutating func note(
        _ name: Check.Name,
        _ result: Check.Result,
        expected: @autoclosure () -> Check.Value?,
        seen: @autoclosure () -> Check.Value?
    )
}

struct NoRecorder: CheckRecorder {
    @inline(__always)
    func note(
        _ name: Check.Name,
        _ result: Check.Result,
        expected: @autoclosure () -> Check.Value?,
        seen: @autoclosure () -> Check.Value?
    ) {}
}

struct ListRecorder: CheckRecorder {
    private(set) var checks: [Check] = []

    mutating func note(
        _ name: Check.Name,
        _ result: Check.Result,
        expected: @autoclosure () -> Check.Value?,
        seen: @autoclosure () -> Check.Value?
    ) {
        checks.append(Check(name: name, result: result, expected: expected(), seen: seen()))
    }

    /// The checks with all that was not reached as skipped.
    var completed: [Check] {
        let reached = Set(checks.map(\.name))
        let rest = Check.Name.allCases.filter { !reached.contains($0) }
        return checks + rest.map { Check(name: $0, result: .skipped, expected: nil, seen: nil) }
    }
}
