internal import Glibc
internal import PosternBase
internal import PosternHTTPServer
internal import PosternJOSE
internal import PosternService
internal import PosternTokens

extension EffectiveSettings {
    /// What counts where nothing is said, as far as it is found out and not in the table.
    static func found(_ settings: ServeSettings) -> [String: JSONOutput] {
        var found: [String: JSONOutput] = [
            "limits.threads": .integer(Int64(settings.limits.threads)),
            "limits.connections_per_peer": .integer(Int64(settings.limits.server.ofOnePeer)),
            "cache_folder": .string(CacheFolder.daemonFolder(set: settings.cacheFolder) ?? ""),
            "api_keys": .array([]),
        ]
        if let rate = settings.limits.rate { found["limits.burst"] = .integer(Int64(rate.burst)) }
        for provider in settings.providers { add(provider, to: &found) }
        let reserves = settings.limits.server.reserves(settings.listeners.count)
        for (listener, reserve) in zip(settings.listeners, reserves) { add(listener, reserve, to: &found) }
        found["accounts.former_master_key_files"] = .array([])
        found["accounts.former_master_key_credentials"] = .array([])
        if let passwords = settings.accounts?.passwords {
            found["accounts.passwords.blocklist"] = .strings(passwords.blocklist)
            found["accounts.passwords.hash_threads"] = .integer(Int64(passwords.hashing.threads))
        }
        return found
    }

    private static func add(_ settings: ProviderSettings, to found: inout [String: JSONOutput]) {
        let (provider, object) = (settings.provider, settings.object)
        found[object.full("name")] = .string(provider.name)
        if let url = provider.keySetURL { found[object.full("keys")] = .string(url) }
        found[object.full("algorithms")] = .strings(provider.algorithms.map(\.name))
        found[object.full("presenters")] = .array([])
        found[object.full("max_age")] = .integer(provider.maximumAge ?? 0)
    }

    private static func add(_ listener: ListenerSettings, _ reserve: Int, to found: inout [String: JSONOutput]) {
        let object = listener.object
        found[object.full("doors")] = .strings(
            Door.allCases.filter(listener.rules.doors.contains).map(\.rawValue))
        found[object.full("reserved_connections")] = .integer(Int64(reserve))
        guard case .unix = listener.place else { return }
        found[object.full("owner")] = .string("\(geteuid())")
        found[object.full("group")] = .string("\(getegid())")
    }
}
