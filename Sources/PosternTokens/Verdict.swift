package import PosternBase

/// The answer about an identity token: accepted or refused, with every check that was made.
public struct Verdict: Sendable {
    /// One of two answers.
    public enum Outcome: Sendable {
        /// The token is good, and this is what it says.
        case accepted(VerifiedIdentity)
        /// The token is not to be accepted.
        case refused(Refusal)
    }

    /// Accepted or refused.
    public let outcome: Outcome
    /// All checks in their order; those after a failed one are skipped.
    public let checks: [Check]

    /// The identity, if the token was accepted.
    public var identity: VerifiedIdentity? {
        if case .accepted(let identity) = outcome { return identity }
        return nil
    }

    /// Why the token was refused, if it was.
    public var refusal: Refusal? {
        if case .refused(let refusal) = outcome { return refusal }
        return nil
    }

    package var json: JSONOutput {
        switch outcome {
        case .accepted(let identity): VerdictJSON.accepted(("identity", identity.json), checks)
        case .refused(let refusal): VerdictJSON.refused(refusal, checks)
        }
    }
}

/// The answer about a server notification.
public struct NotificationVerdict: Sendable {
    /// One of two answers.
    public enum Outcome: Sendable {
        /// The notification is Apple's, and this is what it says.
        case accepted(VerifiedNotification)
        /// The token is not to be accepted as a notification.
        case refused(Refusal)
    }

    /// Accepted or refused.
    public let outcome: Outcome
    /// All checks in their order; those after a failed one are skipped.
    public let checks: [Check]

    package var json: JSONOutput {
        switch outcome {
        case .accepted(let notification): VerdictJSON.accepted(("notification", notification.json), checks)
        case .refused(let refusal): VerdictJSON.refused(refusal, checks)
        }
    }
}

private enum VerdictJSON {
    static func accepted(_ what: (String, JSONOutput), _ checks: [Check]) -> JSONOutput {
        .object([("verdict", .string("accepted")), what, ("checks", .array(checks.map(\.json)))])
    }

    static func refused(_ refusal: Refusal, _ checks: [Check]) -> JSONOutput {
        .object([
            ("verdict", .string("refused")),
            ("code", .string(refusal.code.rawValue)),
            ("message", .string(refusal.message)),
            ("checks", .array(checks.map(\.json))),
        ])
    }
}
