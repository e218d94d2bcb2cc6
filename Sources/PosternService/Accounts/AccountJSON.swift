internal import PosternAccounts
internal import PosternBase
internal import PosternTokens

/// How accounts and sessions are written (`Docs/HTTP-API.md`). What there is not is `null`.
enum AccountJSON {
    // MARK: - Sessions

    /// `isNew`: whether the sign-in has made the account; nil where nobody has signed in.
    static func reply(_ grant: Grant, isNew: Bool?, status: Int, now: Int64) -> Reply {
        var writer = JSONWriter(capacity: 1536)
        writer.object { writer in
            writer.member("access_token", grant.accessToken.revealed)
            writer.member("token_type", "Bearer")
            writer.member("expires_in", max(0, grant.accessTokenExpiresAt - now))
            writer.member("expires_at", grant.accessTokenExpiresAt)
            writer.member("refresh_token", grant.refreshToken.revealed)
            writer.name("session")
            writer.object { write(grant.session, &$0) }
            writer.name("account")
            writer.object { write(grant.account, now: now, &$0) }
            if let isNew { writer.member("is_new_account", isNew) }
        }
        return Reply(status: status, body: writer.finish())
    }

    static func reply(_ sessions: [Session]) -> Reply {
        var writer = JSONWriter(capacity: 512)
        writer.object { writer in
            writer.name("sessions")
            writer.array { writer in
                for session in sessions { writer.object { write(session, &$0) } }
            }
        }
        return Reply(body: writer.finish())
    }

    static func reply(ended count: Int) -> Reply {
        var writer = JSONWriter(capacity: 32)
        writer.object { $0.member("ended", Int64(clamping: count)) }
        return Reply(body: writer.finish())
    }

    private static func write(_ session: Session, _ writer: inout JSONWriter) {
        writer.member("id", "\(session.id)")
        writer.member("account", "\(session.account)")
        writer.member("method", session.method.rawValue)
        writer.member("provider", session.provider)
        writer.member("created_at", session.createdAt)
        writer.member("refreshed_at", session.counter > 0 ? session.rotatedAt : nil)
        writer.member("expires_at", session.expiresAt)
        writer.member("user_agent", session.userAgent)
        writer.member("address", session.maskedAddress)
    }

    // MARK: - Accounts

    static func reply(_ result: Accounts.SignUpResult, now: Int64) -> Reply {
        switch result {
        case .account(let person): return reply(person, status: 201, now: now)
        case .waits(let id, let expiresAt):
            var writer = JSONWriter(capacity: 96)
            writer.object { writer in
                writer.member("sign_up", "\(id)")
                writer.member("expires_at", expiresAt)
            }
            return Reply(status: 202, body: writer.finish())
        }
    }

    static func reply(_ person: Person, status: Int = 200, now: Int64) -> Reply {
        var writer = JSONWriter(capacity: 1024)
        writer.object { write(person, now: now, &$0) }
        return Reply(status: status, body: writer.finish())
    }

    /// The first `limit`, and whether and where it goes on.
    static func reply(_ people: [Person], limit: Int, now: Int64) -> Reply {
        var writer = JSONWriter(capacity: 4096)
        writer.object { writer in
            writer.name("accounts")
            writer.array { writer in
                for person in people.prefix(limit) { writer.object { write(person, now: now, &$0) } }
            }
            writer.member("next", people.count > limit ? people.prefix(limit).last.map { "\($0.account.id)" } : nil)
        }
        return Reply(body: writer.finish())
    }

    private static func write(_ person: Person, now: Int64, _ writer: inout JSONWriter) {
        write(person.account, now: now, &writer)
        writer.member("has_password", person.hasPassword)
        writer.name("identities")
        writer.array { writer in
            for identity in person.identities { writer.object { write(identity, &$0) } }
        }
    }

    private static func write(_ account: Account, now: Int64, _ writer: inout JSONWriter) {
        let isBanned = account.isBanned(at: now)
        writer.member("id", "\(account.id)")
        writer.member("email", account.email?.text)
        writer.member("email_proven", account.emailProvenAt != nil)
        write("user_data", account.userData, &writer)
        write("backend_data", account.backendData, &writer)
        writer.member("created_at", account.createdAt)
        writer.member("updated_at", account.updatedAt)
        writer.member("last_sign_in_at", account.lastSignInAt)
        writer.member("banned", isBanned)
        // For ever has no second.
        writer.member("banned_until", isBanned && account.bannedUntil != .max ? account.bannedUntil : nil)
    }

    /// What a store has damaged is `null`.
    private static func write(_ name: StaticString, _ data: String, _ writer: inout JSONWriter) {
        writer.name(name)
        if let document = try? JSONDocument(data) { writer.value(document.root) } else { writer.null() }
    }

    private static func write(_ identity: Identity, _ writer: inout JSONWriter) {
        writer.member("id", identity.key.name)
        writer.member("provider", identity.key.provider)
        writer.member("issuer", identity.key.issuer)
        writer.member("subject", String(decoding: identity.key.subject.bytes, as: UTF8.self))
        writer.member("email", identity.email)
        writer.member("email_verified", identity.isEmailVerified)
        writer.member("private_relay", identity.isPrivateRelay)
        writer.member("created_at", identity.createdAt)
        writer.member("last_sign_in_at", identity.lastSignInAt)
    }

    // MARK: - The audit trail

    static func reply(_ entries: [(number: Int64, entry: AuditEntry)], limit: Int) -> Reply {
        var writer = JSONWriter(capacity: 4096)
        writer.object { writer in
            writer.name("entries")
            writer.array { writer in
                for (number, entry) in entries.prefix(limit) { writer.object { write(number, entry, &$0) } }
            }
            writer.member("next", entries.count > limit ? entries.prefix(limit).last?.number : nil)
        }
        return Reply(body: writer.finish())
    }

    private static func write(_ number: Int64, _ entry: AuditEntry, _ writer: inout JSONWriter) {
        writer.member("number", number)
        writer.member("event", entry.event.rawValue)
        writer.member("at", entry.at)
        writer.member("session", entry.session.map { "\($0)" })
        writer.member("caller", entry.caller)
        writer.member("detail", entry.detail)
    }
}
