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
        .written { writer in
            switch outcome {
            case .accepted(let identity): VerdictJSON.accepted(identity, checks, &writer)
            case .refused(let refusal): VerdictJSON.refused(refusal, checks, &writer)
            }
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

    /// The notification, if it was accepted.
    public var notification: VerifiedNotification? {
        if case .accepted(let notification) = outcome { return notification }
        return nil
    }

    /// Why the token was refused, if it was.
    public var refusal: Refusal? {
        if case .refused(let refusal) = outcome { return refusal }
        return nil
    }

    package var json: JSONOutput {
        .written { writer in
            switch outcome {
            case .accepted(let notification):
                VerdictJSON.accepted("notification", checks, &writer) { $0.write(notification.json) }
            case .refused(let refusal): VerdictJSON.refused(refusal, checks, &writer)
            }
        }
    }
}

/// How verdicts are written (`Docs/Output.md`), for the command and the daemon alike; `checks` is nil where nobody asked for
/// an explanation.
package enum VerdictJSON {
    package static func accepted(_ identity: VerifiedIdentity, _ checks: [Check]?, _ writer: inout JSONWriter) {
        accepted("identity", checks, &writer) { identity.write(to: &$0) }
    }

    static func accepted(
        _ name: StaticString,
        _ checks: [Check]?,
        _ writer: inout JSONWriter,
        _ value: (inout JSONWriter) -> Void
    ) {
        writer.object { writer in
            writer.member("verdict", word: "accepted")
            writer.name(name)
            value(&writer)
            write(checks, &writer)
        }
    }

    package static func refused(_ refusal: Refusal, _ checks: [Check]?, _ writer: inout JSONWriter) {
        write("refused", refusal.code.rawValue, refusal.message, checks, &writer)
    }

    package static func fault(_ fault: VerificationFault, _ writer: inout JSONWriter) {
        write("fault", fault.code.rawValue, fault.message, nil, &writer)
    }

    private static func write(
        _ verdict: String,
        _ code: String,
        _ message: String,
        _ checks: [Check]?,
        _ writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("verdict", verdict)
            writer.member("code", code)
            writer.member("message", message)
            write(checks, &writer)
        }
    }

    private static func write(_ checks: [Check]?, _ writer: inout JSONWriter) {
        if let checks { writer.member("checks", .array(checks.map(\.json))) }
    }
}
