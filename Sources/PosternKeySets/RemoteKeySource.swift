package import PosternBase
public import PosternHTTP
public import PosternJOSE
public import PosternTokens

/// The keys of one provider, fetched over HTTP when they are needed and kept fresh in the background.
///
/// Share one between all verifiers of the provider. A set is fresh for the `max-age` of its answer, from 5 minutes to 24
/// hours, 1 hour when nothing is said (RFC 9111 §5.2.2.1), and is fetched anew before that time is over. Afterwards a
/// verification waits up to 2 s for a new set; when none is to be had the old one serves on for 24 hours.
/// Everything the source has started ends with it.
public final class RemoteKeySource: KeySource {
    struct State {
        var machine: KeySetMachine
        /// Whether anybody has asked for keys: before that a copy from the disk is not refreshed.
        var isAsked = false
        var waiting: [Int: CheckedContinuation<Reply, Never>] = [:]
        var lastWaiter = 0
        /// `second` is when it took off, since 1970.
        var flight: (number: Int, second: Int64, task: Task<Void, Never>)?
        /// The last flight that has landed; its set may still be on the way to the disk.
        var landed: Task<Void, Never>?
        var alarm: (at: Duration, task: Task<Void, Never>)?
        var document: KeySetDocument?
        var discovered: Discovery.Found?
        var lastSuccess: Int64?
    }

    enum Reply: Sendable {
        case answer(KeySetMachine.Answer)
        case left
    }

    /// What a verification needs when its key is at hand. It has a lock of its own, so that it never waits for the machine.
    struct AtHand {
        var keys: KeySet?
        var until: Duration = .zero
        var isAsked = false
        let padding = ThreadGroup.Padding()
    }

    let providerName: String
    let location: KeyLocation
    /// What a copy on disk must be of.
    let identity: String
    let client: any HTTP.Client
    let folder: KeySetFolder?
    let allowsInsecureLoopback: Bool
    let clock: MonotonicTimeSource
    let time: TimeSource
    let random: RandomSource
    let observer: @Sendable (KeySetEvent) -> Void
    let state: Lock<State>
    let atHand = ThreadGroup.places { Lock(AtHand()) }
    /// The number of the flight whose set is on disk.
    let lastWritten = Lock(0)

    /// A source of the keys of `provider`. It asks nobody yet; see `warm`. With a folder it reads the copy there and checks its
    /// keys, which takes a few milliseconds for each.
    ///
    /// - Parameters:
    ///   - client: what asks the issuer; it has limits of its own for time and size.
    ///   - keyFolder: where a copy of the set is kept, so that a restart while the issuer is away still verifies; it is made
    ///     with mode 0700 if it is not there, and must be writable by nobody else. Nil for no copy. A copy serves only sources
    ///     that have a client of their own too.
    ///   - allowsInsecureLoopback: whether `http` URLs with a loopback address (127.0.0.0/8, `[::1]`) are allowed. What
    ///     may have come without TLS is not kept on disk.
    ///   - observer: hears what happens, on any thread; it must not block.
    ///
    /// Throws `ConfigurationError` when the URL of a generic provider is none that may be asked.
    public convenience init(
        _ provider: Provider,
        client: any HTTP.Client,
        keyFolder: String? = nil,
        allowsInsecureLoopback: Bool = false,
        observer: @escaping @Sendable (KeySetEvent) -> Void = { _ in }
    ) throws(ConfigurationError) {
        try self.init(
            provider,
            client: client,
            keyFolder: keyFolder,
            allowsInsecureLoopback: allowsInsecureLoopback,
            trust: KeyTrust.customClient,
            observer: observer
        )
    }

    /// The same with clocks and randomness of a test's choice. Without `refreshesAhead` the keys are fetched only while
    /// somebody waits for them. `trust` names on whose word they are taken, nil when on the system's (`KeyTrust`).
    package init(
        _ provider: Provider,
        client: any HTTP.Client,
        keyFolder: String? = nil,
        allowsInsecureLoopback: Bool = false,
        trust: String? = nil,
        refreshesAhead: Bool = true,
        clock: MonotonicTimeSource = .system,
        time: TimeSource = .system,
        random: RandomSource = .system,
        observer: @escaping @Sendable (KeySetEvent) -> Void = { _ in }
    ) throws(ConfigurationError) {
        providerName = provider.name
        location = try KeyLocation(provider, allowsInsecureLoopback: allowsInsecureLoopback)
        self.client = client
        identity = location.identity(trust: trust)
        self.folder = allowsInsecureLoopback ? nil : keyFolder.map { KeySetFolder(path: $0, random: random) }
        self.allowsInsecureLoopback = allowsInsecureLoopback
        self.clock = clock
        self.time = time
        self.random = random
        self.observer = observer
        state = Lock(State(machine: KeySetMachine(refreshesAhead: refreshesAhead)))
        loadFromDisk()
    }

    deinit {
        let (flight, alarm) = state.withLock { ($0.flight?.task, $0.alarm?.task) }
        flight?.cancel()
        alarm?.cancel()
    }

    /// The keys at hand; nil while there are none, or while the first look past their time is owed a fetch.
    public func current() -> KeySet? {
        let now = clock.now()
        let (keys, isFirst) = atHand[ThreadGroup.current].withLock { place -> (KeySet?, Bool) in
            let isFirst = !place.isAsked
            if isFirst { place.isAsked = true }
            return (now < place.until ? place.keys : nil, isFirst)
        }
        if isFirst { noteFirstQuestion() }
        return keys
    }

    /// The keys of one issuer verify the tokens of no other.
    public func objection(to provider: Provider) -> String? {
        let wanted = try? KeyLocation(provider, allowsInsecureLoopback: allowsInsecureLoopback)
        guard wanted != location else { return nil }
        return
            "The keys come from \(location.url), and those of \(provider.name) are elsewhere: make a source for each "
            + "provider."
    }

    /// Keys that may be newer than those at hand; waits for a fetch where one is allowed.
    public func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let reply = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, for: keyID, as: waiter) }
        } onCancel: {
            leave(waiter)
        }
        switch reply {
        case .answer(.keys(let keys)): return keys
        case .answer(.fault(let reason)): throw .keysUnavailable(explanation(of: reason))
        case .left: throw .keysUnavailable("The task that waited for the keys of \(providerName) was cancelled.")
        }
    }

    /// Gets the keys now unless they are at hand, so that the first verification need not wait.
    ///
    /// Returns when they are there or are not to be had for now; the source goes on trying in the background.
    public func warm() async {
        guard current() == nil else { return }
        _ = try? await keySet(missing: nil)
    }

    /// Waits until the set that came last is on disk, for a program that ends now.
    package func finishWriting() async {
        let landed = state.withLock { $0.landed }
        await landed?.value
    }

    /// How the source stands.
    public var status: KeySetStatus {
        let now = clock.now()
        return state.withLock { state in
            let machine = state.machine
            return KeySetStatus(
                freshness: machine.freshness(at: now),
                usableKeys: machine.keys?.usable ?? [],
                skippedMembers: machine.keys?.skipped ?? [],
                freshFor: machine.freshUntil.map { ($0 - now).components.seconds },
                nextRefresh: machine.nextRefresh.map { max(0, ($0 - now).components.seconds) },
                isFetching: machine.isFetching,
                lastSuccess: state.lastSuccess,
                lastFailure: machine.lastFailure,
                waiting: state.waiting.count
            )
        }
    }

    /// Whether something is to happen by itself.
    package var isScheduled: Bool { state.withLock { $0.alarm != nil || $0.flight != nil } }

    /// How many verifications wait now.
    package var waiterCount: Int { state.withLock { $0.waiting.count } }

    private func explanation(of reason: KeySetFailure?) -> String {
        let start = "The keys of \(providerName) are not to be had from \(location.url)"
        guard let reason else { return "\(start): no answer yet. Try again later." }
        return "\(start) (\(reason.code)): \(reason.message) Check the network and the issuer; try again later."
    }
}

extension KeyLocation {
    init(_ provider: Provider, allowsInsecureLoopback: Bool) throws(ConfigurationError) {
        if let url = provider.keySetURL {
            self = .keySet(url: url)
        } else if let issuer = provider.discoveryIssuer {
            self = .discovery(issuer: issuer)
        } else {
            throw ConfigurationError("Nothing says where the keys of \(provider.name) are: set its key set URL.")
        }
        if let fault = KeySetURL.fault(of: url, allowsInsecureLoopback: allowsInsecureLoopback) {
            throw ConfigurationError(
                "The keys of \(provider.name) cannot come from \(KeySetURL.shown(url)): \(fault). Name another issuer or another URL of the key set."
            )
        }
    }
}
