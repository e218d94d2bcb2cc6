internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite
internal import PosternTokens

/// What stays open for as long as the daemon serves: the store, and the keys.
struct OpenAccounts: Sendable {
    let store: WatchedStore
    let master: MasterKeys
    let signingKeys: SigningKeys
    let accessTokens: AccessTokens
    private let settings: AccountSettings

    /// Opens the store, which may make it. Blocks.
    init(_ settings: AccountSettings) throws(CommandFailure) {
        self.settings = settings
        guard let master = settings.master.keys else {
            throw settings.object.failure("master_key_credential", "can be read by the service alone")
        }
        self.master = master
        let plan = SigningKeyPlan(
            period: settings.signingKeyPeriod, accessTokenLifetime: settings.accessTokenLifetime)
        do throws(ConfigurationError) {
            signingKeys = try SigningKeys(master, plan: plan)
        } catch {
            throw settings.object.failure("master_key_file", "cannot be used. \(error.message)")
        }
        accessTokens = AccessTokens(
            signingKeys, issuer: settings.issuer, audience: settings.audience, lifetime: settings.accessTokenLifetime)
        do throws(StoreFault) {
            store = WatchedStore(try SQLiteStore(folder: settings.data, .serving))
        } catch {
            throw Self.failure(settings, error).told(.store)
        }
    }

    /// Nonces of which what was used is kept in the store.
    func nonces(lifetime: Int64) throws(ConfigurationError) -> IssuedNonces {
        IssuedNonces(try master.nonceIssuer(lifetime: lifetime), store: StoredNonces(store))
    }

    /// Reads the signing keys, and makes the first. Where nothing can be written it goes on, and is not ready: what needs no store is
    /// served, and the store again when it can be.
    func start() async throws(CommandFailure) {
        do throws(AccountFault) {
            try await signingKeys.maintain(store, now: TimeSource.system.now())
        } catch {
            if case .store(let fault) = error { throw Self.failure(settings, fault).told(.store) }
            let said = ["master_key_file", "master_key_credential"].first(where: settings.object.has)
            throw settings.object.failure(said ?? "master_key_file", "cannot be used. \(error.words.message)").told(
                .store)
        }
        await store.tryToWrite()
    }

    private static func failure(_ settings: AccountSettings, _ fault: StoreFault) -> CommandFailure {
        settings.object.failure("data", "cannot be used (\(fault.reason.rawValue)): \(fault.message)")
    }
}

extension AccountFault {
    /// A code that stays, and what is wrong; nothing of it is anybody's.
    var words: (code: String, message: String) {
        switch self {
        case .store(let fault): (fault.reason.rawValue, fault.message)
        case .verification(let fault): ("verification_failed", fault.message)
        case .busy(let seconds): ("busy", "So much is waiting that it should be tried again in \(seconds) s.")
        case .hashing(let reason): ("hashing_failed", "The password could not be hashed: \(reason).")
        case .keys(let message): ("signing_keys_unavailable", message)
        }
    }
}
