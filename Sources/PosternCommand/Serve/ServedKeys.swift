internal import PosternBase
internal import PosternKeySets
internal import PosternService
internal import PosternTokens
internal import PosternTransport

/// The source of a provider's keys, and what must be the same for it to serve on under other settings.
struct ServedKeys {
    let source: any ReportingKeySource
    private let name: String
    private let network: NetworkOptions
    /// On whose word keys are taken; nil when on that of the system's authorities.
    private let trust: String?

    init(
        _ provider: ProviderSettings,
        cacheFolder: String?,
        _ metrics: ServiceMetrics,
        after former: [ServedKeys]
    ) throws(CommandFailure) {
        name = provider.provider.name
        network = provider.network
        if case .file(let path) = provider.keys {
            trust = nil
            source = try Self.file(path, provider)
            return
        }
        do throws(CommandFailure) {
            trust = try CacheFolder.trust(of: network, named: provider.object.full("ca_file"))
        } catch {
            throw provider.object.failure("ca_file", whole: error.message)
        }
        if let own = former.first(where: { [name, network, trust] in $0.serves(provider, name, network, trust) }) {
            source = own.source
            return
        }
        source = try Self.fetched(provider, cacheFolder, trust, metrics)
    }

    /// Whether its keys would be fetched from the same place, in the same way, and told of under the same name.
    private func serves(
        _ provider: ProviderSettings,
        _ name: String,
        _ network: NetworkOptions,
        _ trust: String?
    ) -> Bool {
        guard let source = source as? RemoteKeySource else { return false }
        return name.isSameBytes(as: self.name) && network == self.network && trust == self.trust
            && source.objection(to: provider.provider) == nil
    }

    private static func file(
        _ path: String,
        _ provider: ProviderSettings
    ) throws(CommandFailure) -> any ReportingKeySource {
        do throws(ConfigurationError) {
            return try FileKeySource(path: path)
        } catch {
            throw provider.object.failure("keys", "cannot be used. \(error.message)")
        }
    }

    private static func fetched(
        _ provider: ProviderSettings,
        _ cacheFolder: String?,
        _ trust: String?,
        _ metrics: ServiceMetrics
    ) throws(CommandFailure) -> any ReportingKeySource {
        let name = provider.provider.name
        let client: CurlClient
        do throws(NetworkSettingsError) {
            client = try provider.network.plainClient()
        } catch {
            throw provider.object.failure(
                error.member, whole: error.message(naming: provider.object.full(error.member)))
        }
        do throws(ConfigurationError) {
            return try RemoteKeySource(
                provider.provider,
                client: client,
                keyFolder: CacheFolder.path(for: provider.network, set: cacheFolder),
                allowsInsecureLoopback: provider.network.allowsInsecureLoopback,
                trust: trust,
                observer: KeyEvents.observer(of: name, metrics.tally(of: name))
            )
        } catch {
            let hint = provider.network.hint(provider.provider, "insecure_loopback")
            let name = ["keys", "issuer"].first(where: provider.object.has) ?? "provider"
            throw provider.object.failure(name, whole: "\(provider.object.full(name)): \(error.message)\(hint)")
        }
    }
}
