internal import PosternAccounts
internal import PosternBase
internal import PosternTokens

/// Accounts and what belongs to them, as commands write them; as JSON with the names of `Docs/HTTP-API.md`.
enum PersonOutput {
    static func json(_ person: Person, now: Int64) -> JSONOutput {
        let account = person.account
        let isBanned = account.isBanned(at: now)
        return .object([
            ("id", .string("\(account.id)")), ("email", .optional(account.email?.text)),
            ("email_proven", .bool(account.emailProvenAt != nil)), ("user_data", data(account.userData)),
            ("backend_data", data(account.backendData)), ("created_at", .integer(account.createdAt)),
            ("updated_at", .integer(account.updatedAt)), ("last_sign_in_at", .optional(account.lastSignInAt)),
            ("banned", .bool(isBanned)),
            ("banned_until", .optional(isBanned && account.bannedUntil != .max ? account.bannedUntil : nil)),
            ("has_password", .bool(person.hasPassword)), ("identities", .array(person.identities.map(json))),
        ])
    }

    /// What a store has damaged is `null`.
    private static func data(_ text: String) -> JSONOutput {
        (try? JSONDocument(text)).map { .value($0.root) } ?? .null
    }

    private static func json(_ identity: Identity) -> JSONOutput {
        .object([
            ("id", .optional(identity.key.name)), ("provider", .string(identity.key.provider)),
            ("issuer", .string(identity.key.issuer)),
            ("subject", .string(String(decoding: identity.key.subject.bytes, as: UTF8.self))),
            ("email", .optional(identity.email)), ("email_verified", .bool(identity.isEmailVerified)),
            ("private_relay", .bool(identity.isPrivateRelay)), ("created_at", .integer(identity.createdAt)),
            ("last_sign_in_at", .integer(identity.lastSignInAt)),
        ])
    }

    static func json(_ session: Session) -> JSONOutput {
        .object([
            ("id", .string("\(session.id)")), ("account", .string("\(session.account)")),
            ("method", .string(session.method.rawValue)), ("provider", .optional(session.provider)),
            ("created_at", .integer(session.createdAt)),
            ("refreshed_at", .optional(session.counter > 0 ? session.rotatedAt : nil)),
            ("expires_at", .integer(session.expiresAt)), ("user_agent", .optional(session.userAgent)),
            ("address", .optional(session.maskedAddress)),
        ])
    }

    static func json(_ signUp: SignUp) -> JSONOutput {
        .object([
            ("sign_up", .string("\(signUp.id)")), ("email", .string(signUp.email.text)),
            ("created_at", .integer(signUp.createdAt)), ("expires_at", .integer(signUp.expiresAt)),
        ])
    }

    static func json(_ proof: MailedProof, _ mails: [OutboxMail]) -> JSONOutput {
        .object([
            ("id", .string("\(proof.id)")), ("purpose", .string(proof.purpose.rawValue)),
            ("email", .string(proof.email.text)), ("created_at", .integer(proof.createdAt)),
            ("expires_at", .integer(proof.expiresAt)), ("wrong_codes", .integer(proof.wrongCodes)),
            ("used_at", .optional(proof.usedAt)), ("mails", .array(mails.map(json))),
        ])
    }

    private static func json(_ mail: OutboxMail) -> JSONOutput {
        .object([
            ("id", .string("\(mail.id)")), ("created_at", .integer(mail.createdAt)), ("tries", .integer(mail.tries)),
            ("next_attempt_at", .integer(mail.nextAttemptAt)), ("expires_at", .integer(mail.expiresAt)),
        ])
    }

    static func json(_ number: Int64, _ entry: AuditEntry) -> JSONOutput {
        .object([
            ("number", .integer(number)), ("event", .string(entry.event.rawValue)), ("at", .integer(entry.at)),
            ("account", .optional(entry.account.map { "\($0)" })),
            ("session", .optional(entry.session.map { "\($0)" })),
            ("caller", .optional(entry.caller)), ("detail", .optional(entry.detail)),
        ])
    }

    // MARK: - For people

    static func text(_ person: Person, now: Int64) -> String {
        let account = person.account
        var rows: [(name: String, text: String)] = [
            ("id", "\(account.id)"), ("email", email(account)), ("created", time(account.createdAt)),
            ("last sign-in", account.lastSignInAt.map(time) ?? "never"),
            ("password", person.hasPassword ? "yes" : "no"),
        ]
        for identity in person.identities {
            let subject = String(decoding: identity.key.subject.bytes, as: UTF8.self)
            rows.append(("identity", "\(identity.key.provider) \(subject) (\(identity.key.name ?? ""))"))
        }
        if account.isBanned(at: now) { rows.append(("banned", until(account.bannedUntil))) }
        if account.userData.utf8.count > 2 { rows.append(("user data", account.userData)) }
        if account.backendData.utf8.count > 2 { rows.append(("backend data", account.backendData)) }
        return Layout.lines(rows)
    }

    static let headings = ["ACCOUNT", "EMAIL", "CREATED", "WAYS TO SIGN IN", "STATE"]

    /// A row of a list.
    static func row(_ person: Person, now: Int64) -> [String] {
        let account = person.account
        let ways = (person.hasPassword ? ["password"] : []) + person.identities.map(\.key.provider)
        let state = account.isBanned(at: now) ? "banned \(until(account.bannedUntil))" : "active"
        return [
            "\(account.id)", Layout.plain(email(account)), time(account.createdAt),
            ways.isEmpty ? "none" : Layout.plain(ways.joined(separator: ",")),
            state,
        ]
    }

    private static func email(_ account: Account) -> String {
        account.email.map { "\($0.text)\(account.emailProvenAt == nil ? " (not proven)" : "")" } ?? "none"
    }

    private static func until(_ second: Int64?) -> String {
        guard let second, second != .max else { return "for ever" }
        return "until \(time(second))"
    }

    static func time(_ second: Int64) -> String { Timestamp.utc(second) ?? "\(second)" }
}
