internal import Glibc
internal import PosternBase
internal import PosternHTTPServer
internal import PosternKeySets
internal import PosternSQLite
internal import PosternService

/// The settings brought to life: what is served, and the server.
struct Daemon {
    private let input: SettingsInput
    /// Those of the start: what no reload changes stays as it is here.
    private let settings: ServeSettings
    /// Taken when it is served: what a reload has replaced must not be held for as long as the process lives.
    private let first: Lock<Serving?>
    private let current: CurrentService
    private let accounts: Lock<ServedAccounts?>
    private let server: HTTPServer

    init(_ input: SettingsInput) throws(CommandFailure) {
        self.input = input
        settings = try input.settings()
        let serving = try Serving(settings)
        serving.setLog()
        first = Lock(serving)
        current = CurrentService(serving.service)
        accounts = Lock(serving.accounts)
        server = Self.server(settings, current)
        // The server holds the service and with it the metrics, which therefore do not hold the server.
        serving.metrics.add { [weak server, weak store = serving.accounts?.open.store.store] text in
            if let server { ServerMetrics.write(server, to: &text) }
            if let store { StoreMetrics.write(store.counts, to: &text) }
            ProcessMetrics.write(to: &text)
        }
    }

    private static func server(_ settings: ServeSettings, _ service: CurrentService) -> HTTPServer {
        HTTPServer(
            listeners: settings.listeners.map(\.serverListener),
            limits: settings.limits.server,
            deadlines: settings.limits.deadlines,
            threads: settings.limits.threads,
            inherited: handedOver,
            responder: service,
            observer: { trouble in trouble.log() }
        )
    }

    private static var handedOver: InheritedSockets {
        InheritedSockets(listenFDs: variable("LISTEN_FDS"), listenPID: variable("LISTEN_PID"))
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: - Life

    /// Serves until one of the `signals` ends it, in good order; which one.
    func run(
        _ signals: Signals.Pipe,
        whenListening announce: (_ port: UInt16?, _ hasAccounts: Bool) -> Void
    ) async throws(CommandFailure) -> Int32 {
        signals.catchEnding()
        EventLog.write(
            .starting, [("version", .text(Program.version, from: .ownWords)), ("pid", .number(getpid()))])
        try await openAccounts()
        try start()
        tellListeners()
        let manager = ServiceManager(environment: Self.variable)
        manager?.tellReady()
        guard var serving = first.withLock({ $0.take() }) else { throw .trouble("it has been served before") }
        var warming = serving.warm(since: nil)
        let telling = manager.map { manager in Task { [server] in await manager.keepTelling { await server.pulse() } } }
        let upkeep = Upkeep()
        let keeping = serving.accounts.map { _ in
            Task { [accounts] in await upkeep.run { accounts.withLock { $0 } } }
        }
        announce(
            settings.listeners.indices.lazy.compactMap { server.port(ofListener: $0) }.first, serving.accounts != nil)
        let waiter = signals.started()
        var signal = await waiter.next()
        while signal == SIGHUP {
            (serving, warming) = reload(serving, warming, manager)
            if let accounts = serving.accounts { await upkeep.keepKeys(accounts) }
            signal = await waiter.next()
        }
        await end(signal, serving, warming.map(\.task) + [telling, keeping].compactMap(\.self), manager)
        return signal
    }

    /// Opens what is to be served. Who reads the log by a program is to learn there why it did not go.
    private func start() throws(CommandFailure) {
        do throws(CommandFailure) {
            try DescriptorLimit.raise(for: settings)
        } catch {
            throw error.told(.descriptors)
        }
        for listener in settings.listeners {
            guard let fault = SocketFolder.fault(listener.place) else { continue }
            throw Self.failure(listener, .unsafe, "the path of the socket \(fault)").told(.unsafe)
        }
        do throws(ServerError) {
            try server.start()
        } catch {
            throw failure(error).told(StartFailure(error.code))
        }
    }

    /// What is served from now on, and what gets its keys. Who waits for keys that nobody needs any more keeps their source alive,
    /// and is sent away.
    private func reload(_ before: Serving, _ warming: [Warming], _ manager: ServiceManager?) -> (Serving, [Warming]) {
        let next = Reload(input, since: settings, manager).run(before, current)
        accounts.withLock { $0 = next.accounts }
        let (needed, rest) = (warming.filter(next.needs), warming.filter { !next.needs($0) })
        for old in rest { old.task.cancel() }
        return (next, needed + next.warm(since: before))
    }

    private func openAccounts() async throws(CommandFailure) {
        guard let accounts = accounts.withLock({ $0 }), let data = settings.accounts?.data else { return }
        try await accounts.open.start()
        let place: [(StaticString, LogValue)] = [("data", .text(data, from: .settings))]
        if accounts.open.store.store.isNew { EventLog.write(.storeMade, place) }
        EventLog.write(.storeOpened, place)
    }

    private func tellListeners() {
        for (index, listener) in settings.listeners.enumerated() {
            let words = listener.words(port: server.port(ofListener: index))
            EventLog.write(.listening, words)
            guard listener.rules.doors.isEmpty else { continue }
            EventLog.write(
                .noDoors,
                words + [("message", "only /health/live is answered here: name what is to be open in doors")])
        }
        for index in 0..<Self.handedOver.count
        where !settings.listeners.contains(where: { $0.place == .inherited(index) }) {
            EventLog.write(
                .socketNotTaken,
                [
                    ("inherited", .number(index)),
                    ("message", "nobody answers there: name it in listeners, or take it out of the socket unit"),
                ])
        }
    }

    private func end(
        _ signal: Int32,
        _ serving: Serving,
        _ helpers: [Task<Void, Never>],
        _ manager: ServiceManager?
    ) async {
        EventLog.write(.stopping, [("signal", .text(Signals.name(signal), from: .ownWords))])
        manager?.tellStopping()
        for task in helpers { task.cancel() }
        await server.drain(deadline: .seconds(serving.settings.limits.drainSeconds))
        for source in serving.sources { await source.finishWriting() }
        await serving.accounts?.close()
        EventLog.write(.stopped)
    }

    private func failure(_ error: ServerError) -> CommandFailure {
        guard let index = error.listener, settings.listeners.indices.contains(index) else {
            return .trouble("the server cannot start (\(error.code.rawValue)): \(error.message)")
        }
        let listener = settings.listeners[index]
        let hint = SocketTaken.hint(listener.place, Self.handedOver)
        return Self.failure(listener, error.code, error.message + hint)
    }

    private static func failure(
        _ listener: ListenerSettings,
        _ code: ServerError.Code,
        _ message: String
    ) -> CommandFailure {
        let object = listener.object
        return object.failure(object.value, "\(object.path) cannot be opened (\(code.rawValue)): \(message)")
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
