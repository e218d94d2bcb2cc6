internal import PosternAccounts
internal import PosternBase
internal import PosternPasswords
internal import PosternSQLite
internal import PosternTokens

/// Accounts under some settings. A reload makes the next ones over the same store, and keeps the threads that hash where nothing about
/// them has changed.
struct ServedAccounts: Sendable {
    let accounts: Accounts
    let open: OpenAccounts
    let auditRetention: Int64
    let pool: HashingPool?
    private let hashing: PasswordSettings.Hashing?

    init(_ settings: AccountSettings, after former: ServedAccounts?) throws(CommandFailure) {
        let policy = try settings.passwords?.policy()
        if let former { open = former.open } else { open = try OpenAccounts(settings) }
        auditRetention = settings.auditRetention
        hashing = settings.passwords?.hashing
        if let former, former.hashing == hashing {
            pool = former.pool
        } else {
            pool = try hashing.map { hashing throws(CommandFailure) in try Self.pool(hashing) }
        }
        var passwords: Passwords?
        if let policy, let pool { passwords = Passwords(policy: policy, pool: pool) }
        do throws(ConfigurationError) {
            accounts = try Accounts(
                store: open.store, master: open.master, keys: open.signingKeys, accessTokens: open.accessTokens,
                passwords: passwords, policy: settings.policy, tell: AuditLog.tell)
        } catch {
            throw .trouble(error.message)
        }
    }

    /// With the hash of no password, which takes as long as one.
    private static func pool(_ hashing: PasswordSettings.Hashing) throws(CommandFailure) -> HashingPool {
        do throws(PasswordFault) {
            let check = try PasswordCheck(Argon2idHasher(hashing.parameters))
            return HashingPool(check, threads: hashing.threads, queue: hashing.queue)
        } catch {
            throw .trouble("passwords cannot be hashed: \(error.reason.rawValue)")
        }
    }

    /// Once nobody is served any more.
    func close() async {
        await pool?.end()
        await open.store.store.close()
    }
}
