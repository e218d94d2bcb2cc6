internal import PosternBase
internal import PosternService
internal import PosternTokens

/// What `postern serve` is told by its settings; every mistake and contradiction is found here, before anything is done.
struct ServeSettings {
    var providers: [ProviderSettings]
    var listeners: [ListenerSettings]
    var apiKeys: APIKeys
    /// What could not be looked at, since only the service can.
    let unread: [String]
    /// nil where nothing is kept of anybody.
    var accounts: AccountSettings?
    var nonceLifetime: Int64
    var nonceCapacity: Int
    var limits: LimitSettings
    let log: LogSettings
    /// nil when the environment decides; an empty text for none.
    var cacheFolder: String?

    /// As it was said.
    let object: SettingsObject

    /// nil when something is wrong, which is noted: as much of it as can be found out at once.
    /// `isService`: whether it is to be served, here and now.
    init?(_ object: SettingsObject, isService: Bool, _ faults: SettingsFaults) {
        self.object = object
        object.checkShapes(faults)
        let providers = ProviderSettings.list(object, faults)
        let accounts = AccountSettings.read(object, isService: isService, faults)
        let keepsData = accounts.map { $0 != nil } ?? true
        if !keepsData { AudienceSettings.checkSingleUse(providers, faults) }
        let before = faults.count
        let listeners = ListenerSettings.list(object, keepsData: keepsData, faults)
        let keys = faults.attempt { () throws(CommandFailure) in try APIKeySettings(object, isService: isService) }
        let areListenersGood = faults.count == before
        let nonces = faults.attempt { () throws(CommandFailure) in
            try Self.nonces(object, keepsData: accounts.map { $0 != nil } ?? false)
        }
        // What is shared out can be checked when it is known among how many.
        let limits = faults.attempt { () throws(CommandFailure) in
            try LimitSettings(object.object("limits"), areListenersGood ? listeners : nil)
        }
        let log = faults.attempt { () throws(CommandFailure) in try LogSettings(object.object("log")) }
        let folder = faults.attempt { () throws(CommandFailure) in try Self.cacheFolder(object) }
        if areListenersGood, let keys {
            faults.attempt { () throws(CommandFailure) in try Self.check(hasKeys: !keys.isEmpty, listeners) }
        }
        guard faults.isEmpty, let keys, let accounts, let nonces, let limits, let log, let folder else { return nil }
        self.providers = providers
        self.listeners = listeners
        apiKeys = keys.keys
        self.accounts = accounts
        unread = keys.unread + (accounts?.master.unread ?? [])
        (nonceLifetime, nonceCapacity) = nonces
        self.limits = limits
        self.log = log
        cacheFolder = folder
    }

    private static func nonces(
        _ object: SettingsObject,
        keepsData: Bool
    ) throws(CommandFailure) -> (Int64, Int) {
        let nonces = try object.object("nonces")
        if keepsData, let nonces, nonces.has("capacity") {
            throw nonces.failure(
                "capacity",
                "has no meaning with accounts.data: nonces that were used are kept there, and are not counted")
        }
        return (try nonces?.number("lifetime") ?? 600, Int(clamping: try nonces?.number("capacity") ?? 1_000_000))
    }

    private static func cacheFolder(_ object: SettingsObject) throws(CommandFailure) -> String? {
        try object.text("cache_folder")?.isEmpty == true ? "" : try object.path("cache_folder")
    }

    /// Over TCP nobody can be told apart by the kernel, so a door that is worth guarding needs a key.
    static func check(hasKeys: Bool, _ listeners: [ListenerSettings]) throws(CommandFailure) {
        guard !hasKeys else { return }
        for listener in listeners where listener.rules.doors.contains(.native) {
            switch listener.place {
            case .tcp:
                throw listener.object.failure(
                    "tcp",
                    "opens the door native to whoever reaches the port: name an API key in api_keys ('postern api-key' makes one)"
                )
            default:
                guard listener.rules.requiresKey else { continue }
                throw listener.object.failure("require_api_key", "asks for an API key, but api_keys names none")
            }
        }
    }
}
