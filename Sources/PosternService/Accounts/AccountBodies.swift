internal import PosternAccounts
internal import PosternBase
internal import PosternHTTP
internal import PosternPasswords

/// An account that somebody wants to have.
struct SignUpOrder: Sendable {
    let email: EmailAddress
    let password: Password
    let userData: String
    let visitor: Visitor

    init(_ request: ReceivedRequest, _ caller: String?) throws(Problem) {
        var members = MemberReader(
            try RequestBody.object(request, hasFreeObjects: true), known: ["email", "password", "user_data", "client"])
        let email = try members.requiredText("email")
        password = try members.password("password")
        userData = try members.accountData("user_data") ?? "{}"
        visitor = try members.visitor(caller)
        try members.finish()
        self.email = try EmailAddress(member: email, "email")
    }
}

/// A password that is to take the place of another.
struct PasswordOrder: Sendable {
    let account: AccountID
    let old: Password?
    let new: Password
    let keptSession: SessionID?
    let visitor: Visitor

    init(_ request: ReceivedRequest, of account: AccountID, _ caller: String?) throws(Problem) {
        var members = MemberReader(
            try RequestBody.object(request), known: ["old_password", "new_password", "keep_session", "client"])
        self.account = account
        old = try members.passwordIfThere("old_password")
        new = try members.password("new_password")
        let kept = try members.text("keep_session")
        visitor = try members.visitor(caller)
        try members.finish()
        keptSession = kept.flatMap { SessionID($0) }
        guard kept == nil || keptSession != nil else {
            throw Problem(.memberInvalid, "keep_session must be the name of a session, a UUID.")
        }
    }
}

/// What is to become of an account.
enum AccountChangeBody {
    private static let known = ["email", "email_proven", "user_data", "backend_data", "banned", "banned_until"]
    /// The last second of the year 9999.
    private static let latest: Int64 = 253_402_300_799

    static func change(_ request: ReceivedRequest, now: Int64) throws(Problem) -> AccountChange {
        let object = try RequestBody.object(request, hasFreeObjects: true)
        var members = MemberReader(object, known: known)
        let email = try email(object, &members)
        let userData = try members.accountData("user_data")
        let backendData = try members.accountData("backend_data")
        let bannedUntil = try ban(object, &members, now: now)
        try members.finish()
        guard object.memberCount > 0 else {
            throw Problem(
                .memberMissing, "There is nothing to change: give at least one of \(known.joined(separator: ", ")).")
        }
        return AccountChange(email: email, userData: userData, backendData: backendData, bannedUntil: bannedUntil)
    }

    private static func email(
        _ object: JSONValue,
        _ members: inout MemberReader
    ) throws(Problem) -> (address: EmailAddress, isProven: Bool)? {
        let email = try members.text("email")
        let isProven = try members.flag("email_proven", unlessSaid: false)
        guard let email else {
            guard object.member("email_proven") == nil else {
                throw Problem(.memberMissing, "email_proven says something of email, which is missing.")
            }
            return nil
        }
        return (try EmailAddress(member: email, "email"), isProven)
    }

    /// `banned` alone is for ever, with `banned_until` until then; without either nothing changes.
    private static func ban(
        _ object: JSONValue,
        _ members: inout MemberReader,
        now: Int64
    ) throws(Problem) -> Int64?? {
        let isBanned = try members.flag("banned", unlessSaid: false)
        let until = members.take("banned_until")
        guard object.member("banned") != nil else {
            guard until == nil else { throw members.missing("banned") }
            return nil
        }
        guard let until else { return .some(isBanned ? .max : nil) }
        guard isBanned else {
            throw Problem(.memberInvalid, "banned_until belongs to banned: true alone.")
        }
        guard let second = until.integer, (0...latest).contains(second) else {
            throw Problem(.memberInvalid, "banned_until must be seconds since 1970, at most \(latest).")
        }
        guard second > now else {
            throw Problem(.memberInvalid, "banned_until must be a time to come; banned: false lifts a ban.")
        }
        return .some(second)
    }
}

extension MemberReader {
    /// What is said of an account, as a JSON object on one line.
    mutating func accountData(_ name: StaticString) throws(Problem) -> String? {
        guard let value = take(name) else { return nil }
        do throws(AccountData.Mistake) {
            return try AccountData.text(of: value)
        } catch {
            throw Problem(.memberInvalid, "\(name): \(error.rawValue).")
        }
    }
}
