public import PosternBase

/// A verified server-to-server notification of Apple; made only by `TokenVerifier`, and never a sign-in.
///
/// Act on each `id` once: a notification can be delivered again.
/// See Apple's "Processing changes for Sign in with Apple accounts".
public struct VerifiedNotification: Sendable {
    /// What has happened. Apple adds types; unknown ones are answered with success and otherwise left alone.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// Apple's word, such as `consent-revoked`.
        public let rawValue: String

        init(_ rawValue: String) { self.rawValue = rawValue }

        /// Apple's word.
        public var description: String { rawValue }

        /// Words are compared byte for byte.
        public static func == (left: Kind, right: Kind) -> Bool { left.rawValue.isSameBytes(as: right.rawValue) }

        /// Hashes the bytes of the word.
        public func hash(into hasher: inout Hasher) {
            for byte in rawValue.utf8 { hasher.combine(byte) }
        }

        /// Mail to the person's relay address is no longer forwarded.
        public static let emailDisabled = Kind("email-disabled")
        /// Mail to the person's relay address is forwarded again.
        public static let emailEnabled = Kind("email-enabled")
        /// The person no longer uses the Apple account with the app: end the sessions.
        public static let consentRevoked = Kind("consent-revoked")
        /// The person has deleted the Apple account. Apple writes `account-delete` and `account-deleted`.
        public static let accountDeleted = Kind("account-delete")
    }

    /// The word of the provider, which is `apple` today.
    public let provider: String
    /// The issuer, byte for byte that of the provider.
    public let issuer: String
    /// The client ID of ours that it was made for.
    public let audience: String
    /// The notification's own name (`jti`), if it has one.
    public let id: String?
    /// When it was made, in seconds since 1970 (`iat`).
    public let issuedAt: Int64
    /// What has happened, in our word where Apple has several.
    public let kind: Kind
    /// The type as Apple wrote it, such as `consent-revoked`.
    public let type: String
    /// Whom it is about.
    public let subject: Subject?
    /// When it happened, in seconds since 1970; Apple sends seconds or milliseconds.
    public let eventTime: Int64?
    /// The address that it is about, at `email-disabled` and `email-enabled`.
    public let email: String?
    /// Whether the address is one of Apple's relays; nil when it does not say.
    public let isPrivateRelay: Bool?
    /// All claims as they were signed.
    public let claims: JSONValue

    init(_ evidence: consuming Evidence, _ event: NotificationEvent, _ core: TokenVerifier.Core) {
        provider = core.provider.name
        issuer = evidence.issuer
        audience = core.provider.audiences[evidence.audienceIndex].clientID
        id = evidence.claims.document.root["jti"]?.string
        issuedAt = evidence.claims.issuedAt ?? 0
        kind = event.kind
        type = event.type
        subject = event.subject.map { Subject($0) }
        eventTime = event.time
        email = event.value["email"]?.string
        isPrivateRelay = event.value["is_private_email"].flatMap { flag in
            flag.bool ?? (flag.stringEquals("true") ? true : flag.stringEquals("false") ? false : nil)
        }
        claims = evidence.claims.document.root
    }

    package var json: JSONOutput {
        .object([
            ("provider", .string(provider)),
            ("issuer", .string(issuer)),
            ("audience", .string(audience)),
            ("id", .optional(id)),
            ("kind", .string(kind.rawValue)),
            ("type", .string(type)),
            ("subject", .optional(subject?.description)),
            ("event_time", .optional(eventTime)),
            ("email", .optional(email)),
            ("is_private_email", isPrivateRelay.map { .bool($0) } ?? .null),
            ("issued_at", .integer(issuedAt)),
            ("claims", .value(claims)),
        ])
    }
}

/// The `events` claim, which Apple documents as an object and sends as a string that holds one.
struct NotificationEvent {
    let value: JSONValue
    let type: String

    init(_ events: JSONValue) throws(Refusal) {
        value = try Self.object(events)
        guard let type = value["type"]?.string else {
            throw Refusal(.claimsMalformed, "The event of the notification has no type that is a string.")
        }
        self.type = type
    }

    /// What stands for the event where a test leaves out the rule that demands one.
    init(testOnlyOf claims: JSONValue) {
        value = claims
        type = ""
    }

    private static func object(_ events: JSONValue) throws(Refusal) -> JSONValue {
        if events.kind == .object { return events }
        guard let text = events.stringBytes else {
            throw Refusal(.claimsMalformed, "events is neither an object nor a string that holds one.")
        }
        guard let document = try? JSONDocument(text), document.root.kind == .object else {
            throw Refusal(.claimsMalformed, "events is a string that does not hold a JSON object.")
        }
        return document.root
    }

    var kind: VerifiedNotification.Kind {
        type.isSameBytes(as: "account-deleted") ? .accountDeleted : VerifiedNotification.Kind(type)
    }

    /// nil when absent or empty.
    var subject: [UInt8]? {
        guard let bytes = value["sub"]?.stringBytes, !bytes.isEmpty else { return nil }
        return bytes
    }

    var time: Int64? {
        guard let time = value["event_time"]?.integer, time >= 0 else { return nil }
        // Seconds as documented, milliseconds as seen; 10^11 s would be the year 5138.
        return time > 100_000_000_000 ? time / 1000 : time
    }
}
