package import PosternBase

/// One thing that was looked at on the way to a verdict.
public struct Check: Sendable, Equatable {
    /// What is looked at.
    public struct Name: Sendable, Hashable, CustomStringConvertible {
        /// The stable word, such as `audience`.
        public let rawValue: String

        private init(_ rawValue: String) { self.rawValue = rawValue }

        /// The stable word.
        public var description: String { rawValue }

        /// How many bytes the token has.
        public static let size = Name("size")
        /// Three segments of canonical base64url.
        public static let form = Name("form")
        /// A strict JSON object with parameters of the right types.
        public static let header = Name("header")
        /// `alg` is allowed.
        public static let algorithm = Name("algorithm")
        /// Nothing in the header changes how the token is read.
        public static let critical = Name("critical")
        /// A strict JSON object with claims of the right types.
        public static let claims = Name("claims")
        /// `iss` is the provider's.
        public static let issuer = Name("issuer")
        /// One usable key is meant.
        public static let key = Name("key")
        /// The signature is that key's.
        public static let signature = Name("signature")
        /// Identity token or notification, as was asked for.
        public static let kind = Name("kind")
        /// `aud` is ours.
        public static let audience = Name("audience")
        /// `azp`, when present, is ours or trusted.
        public static let authorizedParty = Name("authorized_party")
        /// `sub` is there.
        public static let subject = Name("subject")
        /// `exp` has not passed.
        public static let expiry = Name("expiry")
        /// `nbf`, when present, has come.
        public static let notBefore = Name("not_before")
        /// `iat` has come.
        public static let issuedAt = Name("issued_at")
        /// `iat` is not too long ago.
        public static let age = Name("age")
        /// `at_hash` belongs to the access token given.
        public static let accessTokenHash = Name("access_token_hash")
        /// `c_hash` belongs to the code given.
        public static let codeHash = Name("code_hash")
        /// The nonce is that of the request.
        public static let nonce = Name("nonce")

        /// The checks in the order in which they are made; the first that fails decides the code.
        public static let all: [Name] = [
            .size, .form, .header, .algorithm, .critical, .claims, .issuer, .key, .signature, .kind, .audience,
            .authorizedParty, .subject, .expiry, .notBefore, .issuedAt, .age, .accessTokenHash, .codeHash, .nonce,
        ]
    }

    /// How a check ended; there is no fourth way.
    public enum Outcome: String, Sendable {
        /// What was expected is there.
        case passed
        /// It is not, and this decides the code.
        case failed
        /// Not looked at: an earlier check failed, or nothing is expected.
        case skipped
    }

    /// What was wanted or found: a text, several of which one is enough, or a number.
    public enum Value: Sendable, Equatable {
        /// One text.
        case text(String)
        /// Several texts, of which one is enough.
        case list([String])
        /// Seconds or bytes.
        case number(Int64)
    }

    /// What was looked at.
    public let name: Name
    /// How it ended.
    public let result: Outcome
    /// What was wanted, where that can be told.
    public let expected: Value?
    /// What the token has, where that can be told; texts are shortened and made fit to print.
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
    /// Whether what is noted is kept: where nobody listens, nothing need be gathered.
    static var keepsNotes: Bool { get }

    mutating func note(
        _ name: Check.Name,
        _ result: Check.Outcome,
        expected: @autoclosure () -> Check.Value?,
        seen: @autoclosure () -> Check.Value?
    )
}

struct NoRecorder: CheckRecorder {
    static var keepsNotes: Bool { false }

    @inline(__always)
    func note(
        _ name: Check.Name,
        _ result: Check.Outcome,
        expected: @autoclosure () -> Check.Value?,
        seen: @autoclosure () -> Check.Value?
    ) {}
}

struct ListRecorder: CheckRecorder {
    static var keepsNotes: Bool { true }

    private(set) var checks: [Check] = []

    mutating func note(
        _ name: Check.Name,
        _ result: Check.Outcome,
        expected: @autoclosure () -> Check.Value?,
        seen: @autoclosure () -> Check.Value?
    ) {
        checks.append(Check(name: name, result: result, expected: expected(), seen: seen()))
    }

    /// The checks with all that was not reached as skipped.
    var completed: [Check] {
        let reached = Set(checks.map(\.name))
        let rest = Check.Name.all.filter { !reached.contains($0) }
        return checks + rest.map { Check(name: $0, result: .skipped, expected: nil, seen: nil) }
    }
}
