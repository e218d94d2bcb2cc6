internal import PosternAccounts
internal import PosternBase
internal import PosternKeySets
internal import PosternService
internal import PosternTokens

/// What is served under some settings: a service, and the sources of its keys. A reload makes the next one, and keeps of the last
/// what is still good: nonces, limits of callers, keys, and everything that was counted.
struct Serving {
    let settings: ServeSettings
    let service: Service
    let metrics: ServiceMetrics
    private let requestLog: RequestLog
    private let nonces: IssuedNonces
    private let keys: [ServedKeys]
    /// nil where nothing is kept of anybody.
    let accounts: ServedAccounts?

    /// Those that fetch.
    var sources: [RemoteKeySource] { keys.compactMap { $0.source as? RemoteKeySource } }

    init(_ settings: ServeSettings, after former: Serving? = nil) throws(CommandFailure) {
        self.settings = settings
        let metrics = former?.metrics ?? ServiceMetrics()
        self.metrics = metrics
        requestLog =
            former?.requestLog
            ?? RequestLog(settings.log.requests) { event, members in EventLog.write(event, members) }
        accounts = try settings.accounts.map { settings throws(CommandFailure) in
            try ServedAccounts(settings, after: former?.accounts)
        }
        do throws(ConfigurationError) {
            if let former {
                nonces = former.nonces
            } else if let open = accounts?.open {
                nonces = try open.nonces(lifetime: settings.nonceLifetime)
            } else {
                nonces = try IssuedNonces(lifetime: settings.nonceLifetime, capacity: settings.nonceCapacity)
            }
        } catch {
            throw .trouble(error.message)
        }
        var providers: [ServedProvider] = []
        var keys: [ServedKeys] = []
        let faults = SettingsFaults()
        for provider in settings.providers {
            faults.attempt { [nonces, metrics] () throws(CommandFailure) in
                let own = try ServedKeys(
                    provider, cacheFolder: settings.cacheFolder, metrics, after: former?.keys ?? [])
                providers.append(try Self.served(provider, own, nonces))
                keys.append(own)
            }
        }
        guard faults.isEmpty else { throw faults.failure }
        self.keys = keys
        do throws(ConfigurationError) {
            service = try Service(
                providers: providers,
                nonces: nonces,
                accounts: accounts?.accounts,
                storeFault: { [store = accounts?.open.store] in store?.fault },
                listeners: settings.listeners.map(\.rules),
                keys: settings.apiKeys,
                limit: settings.limits.rate,
                after: former?.service,
                metrics: metrics,
                log: requestLog
            )
        } catch {
            throw .trouble(error.message)
        }
    }

    private static func served(
        _ provider: ProviderSettings,
        _ keys: ServedKeys,
        _ nonces: IssuedNonces
    ) throws(CommandFailure) -> ServedProvider {
        do throws(ConfigurationError) {
            return ServedProvider(
                try TokenVerifier(provider.provider, keys: keys.source, issuedNonces: nonces), keys: keys.source)
        } catch {
            throw provider.object.failure(of: error.message)
        }
    }

    /// Notes what would stop `init`; nothing is fetched, and no copy on disk is looked at.
    static func check(_ settings: ServeSettings, _ faults: SettingsFaults) {
        faults.attempt { () throws(CommandFailure) in _ = try settings.accounts?.passwords?.policy() }
        for provider in settings.providers {
            faults.attempt { () throws(CommandFailure) in
                _ = try ServedKeys(provider, cacheFolder: "", ServiceMetrics(), after: [])
            }
        }
    }

    /// Has as much told from now on as these settings say.
    func setLog() {
        EventLog.set(settings.log.level)
        // Their lines are info: where that is not told, nothing need be made of them, nor be counted as lost.
        requestLog.set(settings.log.level > .info ? .none : settings.log.requests)
    }

    /// Gets the keys of the sources that `former` has not got.
    func warm(since former: Serving?) -> [Warming] {
        let known = former?.sources ?? []
        return sources.filter { source in !known.contains { $0 === source } }.map { source in
            Warming(source: ObjectIdentifier(source), task: Task { await source.warm() })
        }
    }

    func needs(_ warming: Warming) -> Bool { sources.contains { ObjectIdentifier($0) == warming.source } }
}

/// Somebody who gets the first keys of a source. The task alone holds the source, and lets go of it when it ends.
struct Warming {
    fileprivate let source: ObjectIdentifier
    let task: Task<Void, Never>
}
