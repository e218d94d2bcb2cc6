internal import Glibc
internal import PosternBase
internal import PosternHTTPServer
internal import PosternKeySets
internal import PosternService
internal import PosternTokens
internal import PosternTransport

/// The settings brought to life: sources of keys, the service, the server.
struct Daemon {
    private let settings: ServeSettings
    private let service: Service
    private let sources: [RemoteKeySource]
    private let server: HTTPServer

    init(_ settings: ServeSettings) throws(CommandFailure) {
        self.settings = settings
        let nonces: IssuedNonces
        do throws(ConfigurationError) {
            nonces = try IssuedNonces(lifetime: settings.nonceLifetime, capacity: settings.nonceCapacity)
        } catch {
            throw .trouble(error.message)
        }
        var providers: [ServedProvider] = []
        var sources: [RemoteKeySource] = []
        for provider in settings.providers {
            let keys = try Self.keys(provider, settings)
            if let source = keys as? RemoteKeySource { sources.append(source) }
            providers.append(try Self.served(provider, keys, nonces))
        }
        self.sources = sources
        do throws(ConfigurationError) {
            service = try Service(
                providers: providers,
                nonces: nonces,
                listeners: settings.listeners.map(\.rules),
                keys: settings.apiKeys,
                limit: settings.limits.rate
            )
        } catch {
            throw .trouble(error.message)
        }
        server = Self.server(settings, service)
    }

    // MARK: - Parts

    private static func keys(
        _ provider: ProviderSettings,
        _ settings: ServeSettings
    ) throws(CommandFailure) -> any ReportingKeySource {
        do throws(ConfigurationError) {
            switch provider.keys {
            case .file(let path): return try FileKeySource(path: path)
            case .fetched: break
            }
        } catch {
            throw provider.object.failure("keys", "cannot be used. \(error.message)")
        }
        let client: CurlClient
        do throws(NetworkSettingsError) {
            client = try provider.network.plainClient()
        } catch {
            let name = error.setting.isSameBytes(as: "caFile") ? "ca_file" : "proxy"
            throw provider.object.failure(name, "cannot be used: \(error.message)")
        }
        let folder = CacheFolder.path(for: provider.network, set: settings.cacheFolder)
        let trust = try CacheFolder.trust(of: provider.network)
        do throws(ConfigurationError) {
            return try RemoteKeySource(
                provider.provider,
                client: client,
                keyFolder: folder,
                allowsInsecureLoopback: provider.network.allowsInsecureLoopback,
                trust: trust,
                observer: KeyEvents.observer(of: provider.provider.name)
            )
        } catch {
            throw provider.object.failure(provider.object.value, error.message)
        }
    }

    private static func served(
        _ provider: ProviderSettings,
        _ keys: any ReportingKeySource,
        _ nonces: IssuedNonces
    ) throws(CommandFailure) -> ServedProvider {
        do throws(ConfigurationError) {
            return ServedProvider(
                try TokenVerifier(provider.provider, keys: keys, issuedNonces: nonces), keys: keys)
        } catch {
            throw provider.object.failure(provider.object.value, error.message)
        }
    }

    private static func server(_ settings: ServeSettings, _ service: Service) -> HTTPServer {
        HTTPServer(
            listeners: settings.listeners.map(\.serverListener),
            limits: settings.limits.server,
            deadlines: settings.limits.deadlines,
            threads: settings.limits.threads,
            inherited: InheritedSockets(listenFDs: variable("LISTEN_FDS"), listenPID: variable("LISTEN_PID")),
            responder: service,
            observer: { trouble in trouble.log() }
        )
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: - Life

    /// Serves until a signal comes, then ends in good order; the signal.
    func run(whenListening announce: (_ port: UInt16?) -> Void) async throws(CommandFailure) -> Int32 {
        guard let signals = Signals.catchThem() else {
            throw .trouble("no pipe can be made for signals: \(StandardStreams.explanation(of: errno))")
        }
        try DescriptorLimit.raise(for: settings)
        EventLog.write(.info, "starting", [("version", .string(Program.version)), ("pid", .integer(Int64(getpid())))])
        do throws(ServerError) {
            try server.start()
        } catch {
            throw failure(error)
        }
        for (index, listener) in settings.listeners.enumerated() {
            let words = listener.words(port: server.port(ofListener: index))
            EventLog.write(.info, "listening", words)
            guard listener.rules.doors.isEmpty else { continue }
            let advice = "only /health/live is answered here: name what is to be open in doors"
            EventLog.write(.warning, "no_doors", words + [("message", .string(advice))])
        }
        let manager = ServiceManager(environment: Self.variable)
        manager?.tellReady()
        var helpers = sources.map { source in Task { await source.warm() } }
        if let manager { helpers.append(Task { [server] in await manager.keepTelling { await server.pulse() } }) }
        announce(settings.listeners.indices.lazy.compactMap { server.port(ofListener: $0) }.first)
        let signal = await signals.first()
        EventLog.write(.info, "stopping", [("signal", .string(Signals.name(signal)))])
        manager?.tellStopping()
        for task in helpers { task.cancel() }
        await server.drain(deadline: .seconds(settings.limits.drainSeconds))
        for source in sources { await source.finishWriting() }
        EventLog.write(.info, "stopped")
        return signal
    }

    private func failure(_ error: ServerError) -> CommandFailure {
        guard let index = error.listener, settings.listeners.indices.contains(index) else {
            return .trouble("the server cannot start (\(error.code.rawValue)): \(error.message)")
        }
        let listener = settings.listeners[index].object
        return listener.failure(
            listener.value, "\(listener.path) cannot be opened (\(error.code.rawValue)): \(error.message)")
    }
}

extension ListenerSettings {
    fileprivate var serverListener: Listener {
        switch place {
        case .unix(let path, let mode, let owner, let group):
            .unix(UnixSocket(path: path, mode: mode, owner: owner, group: group))
        case .tcp(let address, let port): .tcp(address: address, port: port)
        case .inherited(let index): .inherited(index: index)
        }
    }

    /// Where it listens, for the log.
    fileprivate func words(port actual: UInt16?) -> [(String, JSONOutput)] {
        let doors = ("doors", JSONOutput.strings(Door.allCases.filter(rules.doors.contains).map(\.rawValue)))
        switch place {
        case .unix(let path, _, _, _): return [("unix", .string(path)), doors]
        case .tcp(let address, let port):
            return [("address", .string(address)), ("port", .integer(Int64(actual ?? port))), doors]
        case .inherited(let index): return [("inherited", .integer(Int64(index))), doors]
        }
    }
}
