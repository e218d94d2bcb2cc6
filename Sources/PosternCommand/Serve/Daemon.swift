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
    /// They outlive any change of the settings.
    private let metrics = ServiceMetrics()
    private let requestLog: RequestLog

    init(_ settings: ServeSettings) throws(CommandFailure) {
        self.settings = settings
        let nonces: IssuedNonces
        do throws(ConfigurationError) {
            nonces = try IssuedNonces(lifetime: settings.nonceLifetime, capacity: settings.nonceCapacity)
        } catch {
            throw .trouble(error.message)
        }
        EventLog.set(settings.log.level)
        requestLog = RequestLog(settings.log.requests) { event, members in EventLog.write(event, members) }
        var providers: [ServedProvider] = []
        var sources: [RemoteKeySource] = []
        for provider in settings.providers {
            let keys = try Self.keys(provider, settings, metrics)
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
                limit: settings.limits.rate,
                metrics: metrics,
                log: requestLog
            )
        } catch {
            throw .trouble(error.message)
        }
        server = Self.server(settings, service)
        // The server holds the service and with it the metrics, which therefore do not hold the server.
        metrics.add { [weak server] text in
            if let server { ServerMetrics.write(server, to: &text) }
            ProcessMetrics.write(to: &text)
        }
    }

    // MARK: - Parts

    private static func keys(
        _ provider: ProviderSettings,
        _ settings: ServeSettings,
        _ metrics: ServiceMetrics
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
                observer: KeyEvents.observer(
                    of: provider.provider.name, metrics.tally(of: provider.provider.name))
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
        EventLog.write(
            .starting, [("version", .text(Program.version, from: .ownWords)), ("pid", .number(getpid()))])
        do throws(ServerError) {
            try server.start()
        } catch {
            throw failure(error)
        }
        for (index, listener) in settings.listeners.enumerated() {
            let words = listener.words(port: server.port(ofListener: index))
            EventLog.write(.listening, words)
            guard listener.rules.doors.isEmpty else { continue }
            EventLog.write(
                .noDoors,
                words + [("message", "only /health/live is answered here: name what is to be open in doors")])
        }
        let manager = ServiceManager(environment: Self.variable)
        manager?.tellReady()
        var helpers = sources.map { source in Task { await source.warm() } }
        if let manager { helpers.append(Task { [server] in await manager.keepTelling { await server.pulse() } }) }
        announce(settings.listeners.indices.lazy.compactMap { server.port(ofListener: $0) }.first)
        let signal = await signals.first()
        EventLog.write(.stopping, [("signal", .text(Signals.name(signal), from: .ownWords))])
        manager?.tellStopping()
        for task in helpers { task.cancel() }
        await server.drain(deadline: .seconds(settings.limits.drainSeconds))
        for source in sources { await source.finishWriting() }
        EventLog.write(.stopped)
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
    fileprivate func words(port actual: UInt16?) -> [(StaticString, LogValue)] {
        let open = Door.allCases.filter(rules.doors.contains)
        let doors: (StaticString, LogValue) = ("doors", .list(open.map { .word($0) }))
        switch place {
        case .unix(let path, _, _, _): return [("unix", .text(path, from: .settings)), doors]
        case .tcp(let address, let port):
            return [("address", .text(address, from: .settings)), ("port", .number(actual ?? port)), doors]
        case .inherited(let index): return [("inherited", .number(index)), doors]
        }
    }
}
