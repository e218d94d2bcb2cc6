internal import PosternBase
internal import PosternService
internal import PosternTokens

/// What `postern serve` is told by its settings; every mistake and contradiction is found here, before anything is done.
struct ServeSettings {
    let providers: [ProviderSettings]
    let listeners: [ListenerSettings]
    let apiKeys: APIKeys
    let nonceLifetime: Int64
    let nonceCapacity: Int
    let limits: LimitSettings
    let log: LogSettings
    /// nil when the environment decides; an empty text for none.
    let cacheFolder: String?

    init(_ object: SettingsObject) throws(CommandFailure) {
        providers = try ProviderSettings.list(object)
        listeners = try ListenerSettings.list(object)
        apiKeys = try APIKeySettings.read(object)
        let nonces = try object.object("nonces")
        nonceLifetime = try nonces?.number("lifetime") ?? 600
        nonceCapacity = Int(clamping: try nonces?.number("capacity") ?? 1_000_000)
        limits = try LimitSettings(object.object("limits"), listeners)
        log = try LogSettings(object.object("log"))
        let cacheFolder = try object.text("cache_folder")
        self.cacheFolder = cacheFolder?.isEmpty == true ? "" : try object.path("cache_folder")
        try checkKeys()
    }

    /// Over TCP nobody can be told apart by the kernel, so a door that is worth guarding needs a key.
    private func checkKeys() throws(CommandFailure) {
        guard apiKeys.isEmpty else { return }
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
