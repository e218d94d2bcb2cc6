internal import Glibc
internal import PosternAccounts
internal import PosternBase
internal import PosternHTTP

/// `accounts`: what is kept of people, and by what rules.
struct AccountSettings {
    private static let standardPeriod: Int64 = 2_592_000

    let data: String
    let master: MasterKeySettings
    let issuer: String
    let audience: String
    let accessTokenLifetime: Int64
    let signingKeyPeriod: Int64
    private(set) var policy: Accounts.Policy
    /// nil where nobody signs in by password.
    private(set) var passwords: PasswordSettings?
    private(set) var auditRetention: Int64
    var object: SettingsObject

    /// nil inside where nothing is kept; nil when something is wrong, which is noted.
    static func read(_ whole: SettingsObject, isService: Bool, _ faults: SettingsFaults) -> AccountSettings?? {
        let object = faults.attempt { () throws(CommandFailure) in try whole.object("accounts") }
        guard let object else { return nil }
        guard let object else { return .some(nil) }
        guard object.has("data") else {
            checkNothingIsSaid(object, faults)
            return .some(nil)
        }
        return AccountSettings(object, isService: isService, faults).map { .some($0) }
    }

    /// Without a place for data there is nothing to have rules about.
    private static func checkNothingIsSaid(_ object: SettingsObject, _ faults: SettingsFaults) {
        for member in Setting.members(of: object.pattern) {
            let name = member.parts.name
            if case .object = member.form {
                let members = (try? object.object(name)) ?? nil
                if let members { checkNothingIsSaid(members, faults) }
            } else if object.has(name) {
                faults.note(object.failure(name, "has no meaning without accounts.data: nothing is kept of anybody"))
            }
        }
    }

    private init?(_ object: SettingsObject, isService: Bool, _ faults: SettingsFaults) {
        self.object = object
        let before = faults.count
        let data = faults.attempt { () throws(CommandFailure) in try Self.data(object, isService: isService) }
        let master = faults.attempt { () throws(CommandFailure) in
            try MasterKeySettings(object, data: data, isService: isService)
        }
        let names = faults.attempt { () throws(CommandFailure) in (try Self.issuer(object), try Self.audience(object)) }
        let sessions = faults.attempt { () throws(CommandFailure) in try SessionPolicy(object.object("sessions")) }
        let passwords = faults.attempt { () throws(CommandFailure) in
            try PasswordSettings.read(object.object("passwords"))
        }
        let lifetime = faults.attempt { () throws(CommandFailure) in
            try Self.lifetime(object, sessions ?? SessionPolicy())
        }
        // Where passwords cannot be read it is not known whether they are on.
        let hasPasswords = passwords.map { $0 != nil } ?? true
        let policy = faults.attempt { () throws(CommandFailure) in
            try Self.policy(object, sessions ?? SessionPolicy(), hasPasswords: hasPasswords)
        }
        let numbers = faults.attempt { () throws(CommandFailure) in
            (try object.number("signing_key_period"), try object.number("audit_retention"))
        }
        guard faults.count == before, let data, let master, let names, let passwords, let lifetime, let policy,
            let numbers
        else { return nil }
        self.data = data
        self.master = master
        (issuer, audience) = names
        self.passwords = passwords
        accessTokenLifetime = lifetime
        self.policy = policy
        signingKeyPeriod = numbers.0 ?? Self.standardPeriod
        auditRetention = numbers.1 ?? 31_536_000
    }

    static func data(_ object: SettingsObject, isService: Bool = false) throws(CommandFailure) -> String {
        let path = try object.path("data") ?? ""
        guard !path.utf8.allSatisfy({ $0 == 0x2F }) else {
            throw object.failure("data", "cannot be the root of the file system: it is a folder of its own")
        }
        // Another folder in its place could be an older copy, in which ended sessions live.
        if let fault = owners(of: path, isService: isService).fault(above: path) { throw object.failure("data", fault) }
        return path
    }

    /// Whoever looks at the settings may be root, and takes the owner of the folder for the user of the daemon. The daemon itself does
    /// not: that owner could put one of the daemon's former folders in its place before it is opened.
    private static func owners(of path: String, isService: Bool) -> FileOwners {
        let ours = FileOwners.ofProcess
        var status = stat()
        guard !isService, stat(path, &status) == 0 else { return ours }
        return FileOwners(user: status.st_uid, outsider: ours.outsider)
    }

    private static func issuer(_ object: SettingsObject) throws(CommandFailure) -> String {
        let text = try object.required("issuer")
        let allowsLoopback = try object.flag("insecure_loopback")
        let url: TargetURL
        do throws(TargetURL.Fault) {
            url = try TargetURL(text)
        } catch {
            throw object.failure("issuer", "cannot be this URL: \(error.message)")
        }
        // OpenID Connect Discovery 1.0 §3: no query; and what clients join a path to has no slash at its end.
        guard !url.path.utf8.contains(UInt8(ascii: "?")), url.path.utf8.last != UInt8(ascii: "/") else {
            throw object.failure(
                "issuer", "must have no query and no slash at its end, such as https://auth.example.com")
        }
        guard url.scheme == .http else { return text }
        guard url.isLoopbackLiteral else {
            throw object.failure(
                "issuer",
                allowsLoopback
                    ? "must be https; insecure_loopback lets it be http with the address of this machine alone, such as "
                        + "http://127.0.0.1:8711: a name, localhost too, may lead elsewhere"
                    : "must be https, as apps and backends see it")
        }
        guard allowsLoopback else {
            throw object.failure("issuer", "is not https: insecure_loopback allows it for this machine, for tests only")
        }
        return text
    }

    private static func audience(_ object: SettingsObject) throws(CommandFailure) -> String {
        guard object.has("audience") else { return "authenticated" }
        let audience = try object.required("audience")
        guard audience.utf8.count <= 256 else { throw object.failure("audience", "is longer than 256 bytes") }
        if let fault = ClientID.fault(audience) { throw object.failure("audience", fault) }
        return audience
    }

    private static func lifetime(
        _ object: SettingsObject,
        _ sessions: SessionPolicy
    ) throws(CommandFailure) -> Int64 {
        let lifetime = try object.number("access_token_lifetime") ?? 3_600
        guard isLong(sessions, for: lifetime) else {
            throw object.failure(
                "access_token_lifetime",
                "is not less than sessions.inactivity: a session would end before its client asks for the next token")
        }
        return lifetime
    }

    /// A time-box may be shorter: a session of one token alone.
    private static func isLong(_ sessions: SessionPolicy, for lifetime: Int64) -> Bool {
        lifetime < sessions.inactivity || sessions.inactivity == sessions.timeBox
    }

    /// After a reload, which leaves the lifetime as it was at the start.
    func checkLifetime() throws(CommandFailure) {
        guard Self.isLong(policy.sessions, for: accessTokenLifetime) else {
            throw object.failure(
                "access_token_lifetime",
                "is \(accessTokenLifetime) s until the next start, and not less than sessions.inactivity: a session would end before its client asks for the next token"
            )
        }
    }

    /// When signing keys change, for commands that look at nothing else.
    static func keyPlan(_ object: SettingsObject) throws(CommandFailure) -> SigningKeyPlan {
        SigningKeyPlan(
            period: try object.number("signing_key_period") ?? standardPeriod,
            accessTokenLifetime: try lifetime(object, SessionPolicy(object.object("sessions"))))
    }

    private static func policy(
        _ object: SettingsObject,
        _ sessions: SessionPolicy,
        hasPasswords: Bool
    ) throws(CommandFailure) -> Accounts.Policy {
        if !hasPasswords {
            for name in ["confirmation", "sign_up_lifetime", "attempts", "attempts_by_address"]
            where object.entry(name).map({ $0.value.kind != .object || $0.value.memberCount > 0 }) == true {
                throw object.failure(name, "has no meaning while nobody signs in by password: passwords.enabled")
            }
        }
        var policy = Accounts.Policy(sessions: sessions)
        if let confirmation = try object.word("confirmation", Accounts.Confirmation.self) {
            policy.confirmation = confirmation
        }
        if policy.confirmation == .none, object.has("sign_up_lifetime") {
            throw object.failure("sign_up_lifetime", "has no meaning where no sign-up waits: confirmation is none")
        }
        policy.signUpLifetime = try object.number("sign_up_lifetime") ?? policy.signUpLifetime
        policy.attempts = try rule(object.object("attempts"), policy.attempts)
        policy.attemptsByAddress = try rule(object.object("attempts_by_address"), policy.attemptsByAddress)
        return policy
    }

    private static func rule(
        _ object: SettingsObject?,
        _ standard: AttemptRule
    ) throws(CommandFailure) -> AttemptRule {
        AttemptRule(
            burst: try object?.number("burst") ?? standard.burst,
            refill: try object?.number("refill") ?? standard.refill)
    }

    /// These, with all that cannot change while the store is open as it was at `start`.
    func reloaded(since start: AccountSettings) -> AccountSettings {
        var settings = start
        settings.object = object
        settings.policy = policy
        settings.passwords = passwords
        settings.auditRetention = auditRetention
        return settings
    }
}

extension SessionPolicy {
    init(_ object: SettingsObject?) throws(CommandFailure) {
        self.init()
        guard let object else { return }
        timeBox = try object.number("time_box")
        inactivity = try object.number("inactivity") ?? min(inactivity, timeBox ?? inactivity)
        isSingle = try object.flag("single")
        if let timeBox, inactivity > timeBox {
            throw object.failure("inactivity", "is more than time_box, which ends every session by then")
        }
    }
}
