internal import PosternAccounts
internal import PosternBase

/// Lines of the audit trail as lines of the log, under the same names.
enum AuditLog {
    static let tell: @Sendable (AuditEntry) -> Void = { entry in
        guard let event = events[entry.event] else { return }
        EventLog.write(event, members(entry))
    }

    /// In the order of the trail's own list.
    static let all = AuditEvent.allCases.map(made)

    private static let events = Dictionary(uniqueKeysWithValues: zip(AuditEvent.allCases, all))

    private static func members(_ entry: AuditEntry) -> [(StaticString, LogValue)] {
        var members: [(StaticString, LogValue)] = []
        if let account = entry.account { members.append(("account", .text("\(account)", from: .ownWords))) }
        if let session = entry.session { members.append(("session", .text("\(session)", from: .ownWords))) }
        if let caller = entry.caller { members.append(("caller", .text(caller, from: .settings))) }
        if let detail = entry.detail { members.append(("detail", .text(detail, from: .ownWords))) }
        return members
    }

    private static func made(_ event: AuditEvent) -> LogEvent {
        LogEvent(
            event.rawValue, event == .refreshTokenReused ? .warning : .info,
            ["account", "session", "caller", "detail"],
            meaning(event))
    }

    private static func meaning(_ event: AuditEvent) -> String {
        switch event {
        case .accountCreated:
            "an account was made; `detail` says by what: a provider, `password` (a sign-up) or `operator`"
        case .accountChanged: "an account was changed; `detail` says what of it"
        case .accountDeleted: "an account was deleted with all that belongs to it"
        case .accountBanned: "an account was banned and its sessions ended"
        case .accountUnbanned: "an account may sign in again"
        case .signUpStarted: "somebody signed up, and nobody has confirmed it yet; `detail` names the sign-up"
        case .signUpConfirmed: "a sign-up was confirmed and became an account"
        case .addressProven: "somebody has proven to have the account's address"
        case .addressLost: "somebody else has proven to have the account's address; the account goes on without it"
        case .identityLinked: "an identity of a provider (`detail`) was linked to an account"
        case .identityUnlinked: "an identity of a provider (`detail`) was taken from an account"
        case .passwordChanged: "a password was set, and the account's other sessions ended"
        case .passwordRehashed: "a password that was right has a hash of the present kind now"
        case .signedIn: "a session began; `detail` says by what"
        case .signInFailed: "a sign-in failed: `password` or `banned`; or a change of password did: `old_password`"
        case .sessionEnded:
            "a session was ended: `revoked` or `too_many_sessions`; one that is over by time has no line"
        case .sessionsEnded: "the sessions of an account ended, or all but one (`session`)"
        case .refreshTokenReused:
            "a former refresh token came back after its successor was in use; the session was ended"
        case .signingKeyRotated: "another key signs access tokens from now on; `detail` is its `kid`"
        case .signingKeysWithdrawn:
            "a new key (`detail`) signs access tokens, and all others were withdrawn with what they had signed"
        case .accountExported: "all that is kept of an account was given out"
        case .databaseRestored:
            "a backup took the place of the database: what was done between the lines before this one and it is in the file that was kept"
        }
    }
}
