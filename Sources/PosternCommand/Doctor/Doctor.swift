internal import PosternAccounts
internal import PosternBase
internal import PosternTokens

/// Looks at everything that the daemon needs, one thing after the other, and changes nothing.
struct Doctor: Sendable {
    let surroundings: Surroundings
    let asksKeyServers: Bool
    /// Those that count over what the settings name, which may be for the service alone to read.
    let masterKeys: MasterKeys?

    init(_ surroundings: Surroundings, asksKeyServers: Bool, masterKeys: MasterKeys? = nil) {
        self.surroundings = surroundings
        self.asksKeyServers = asksKeyServers
        self.masterKeys = masterKeys
    }

    func examine(_ input: SettingsInput, sockets: [String]) async -> [Finding] {
        let (settings, found) = Self.read(input)
        var findings = machine() + found + authorities(settings)
        if let settings {
            findings.append(descriptors(settings))
            findings += await keys(settings)
            findings += cache(settings)
            findings += data(settings)
            findings += listeners(settings)
        }
        for path in sockets { findings += named(path, findings) }
        return findings
    }

    /// The same reading as that of `serve`.
    private static func read(_ input: SettingsInput) -> (ServeSettings?, [Finding]) {
        let faults = SettingsFaults()
        do throws(CommandFailure) {
            if let settings = try input.settings(isService: false, faults) {
                Serving.check(settings, faults)
                SocketOwnership.check(settings, faults)
                let name = input.file.map { Excerpt.plain(String(decoding: $0, as: UTF8.self)) }
                let counts = "providers: \(settings.providers.count), listeners: \(settings.listeners.count)"
                let invalid = faults.inOrder.map { Finding(.settingsInvalid, nil, $0.text) }
                let verdict = invalid.isEmpty ? [Finding(.settings, name, counts)] : invalid
                return (settings, verdict + unread(settings))
            }
        } catch {
            return (
                nil,
                [
                    error.isUsage
                        ? Finding(.settingsMissing, nil, "No settings are named: only the machine is looked at.")
                        : Finding(.settingsInvalid, nil, error.message)
                ]
            )
        }
        return (nil, faults.inOrder.map { Finding(.settingsInvalid, nil, $0.text) })
    }

    private static func unread(_ settings: ServeSettings) -> [Finding] {
        settings.unread.map { Finding(.credentialsNotChecked, $0, "It was not checked: only the service can read it.") }
    }

    // MARK: - The machine

    private func machine() -> [Finding] {
        clock() + [entropy()] + crypto() + [user(), watchdog()]
    }

    /// No right clock says less than the day on which this was written, nor much more.
    private static let writtenAt: Int64 = 1_780_000_000
    private static let plausibleSeconds: Int64 = 50 * 365 * 86_400

    private func clock() -> [Finding] {
        let now = surroundings.time.now()
        let words = Timestamp.utc(now) ?? "\(now)"
        return [plausibility(now, words), synchronization()]
    }

    private func plausibility(_ now: Int64, _ words: String) -> Finding {
        guard (Self.writtenAt...Self.writtenAt + Self.plausibleSeconds).contains(now) else {
            return Finding(.clockImplausible, nil, "The clock says \(words).")
        }
        // A file may have been made in another time zone's idea of now.
        if let made = surroundings.programDate, made > now + 86_400 {
            return Finding(
                .clockBeforeProgram, nil,
                "The clock says \(words), and the program's file is of \(Timestamp.utc(made) ?? "\(made)").")
        }
        return Finding(.clock, nil, words)
    }

    private func synchronization() -> Finding {
        switch surroundings.clock {
        case .synchronized(let error):
            Finding(.clockSync, nil, "kept right, to \(error.milliseconds) ms at the worst")
        case .unsynchronized: Finding(.clockSyncMissing, nil, "The kernel says that nobody keeps the clock right.")
        case .unknown(let number):
            Finding(
                .clockSyncUnknown, nil,
                "The kernel does not say whether the clock is kept right: \(StandardStreams.explanation(of: number)).")
        }
    }

    private func entropy() -> Finding {
        surroundings.randomness == 0
            ? Finding(.entropy, nil, "the kernel gives randomness without waiting")
            : Finding(
                .entropyNotReady, nil,
                "The kernel gives no randomness yet: \(StandardStreams.explanation(of: surroundings.randomness)).")
    }

    private func crypto() -> [Finding] {
        let version = surroundings.cryptoVersion
        guard surroundings.isCryptoSupported else { return [Finding(.cryptoUnsupported, nil, "This is \(version).")] }
        guard surroundings.failingAlgorithms.isEmpty else {
            let names = surroundings.failingAlgorithms.joined(separator: ", ")
            return [Finding(.cryptoFailed, nil, "\(version) fails on known signatures of \(names).")]
        }
        return [Finding(.crypto, nil, "\(version); known signatures verify, changed ones do not")]
    }

    private func user() -> Finding {
        surroundings.user == 0
            ? Finding(
                .userRoot, nil,
                "This runs as root, who may do what the daemon's user may not, and takes what is that user's for a stranger's."
            )
            : Finding(.user, nil, "user \(surroundings.user)")
    }

    private func watchdog() -> Finding {
        let variables = surroundings.variables
        guard let text = variables["WATCHDOG_USEC"] else {
            return Finding(.watchdog, nil, "nobody asks for signs of life")
        }
        guard let microseconds = DecimalDigits.value(of: text), microseconds > 0 else {
            return Finding(.watchdogUnusable, nil, "WATCHDOG_USEC is no number of microseconds.")
        }
        guard variables["NOTIFY_SOCKET"]?.isEmpty == false else {
            return Finding(.watchdogUnheard, nil, "WATCHDOG_USEC is set and NOTIFY_SOCKET is not.")
        }
        return Finding(.watchdog, nil, "a sign of life is due every \(microseconds / 1000) ms")
    }

    private func descriptors(_ settings: ServeSettings) -> Finding {
        let needed = DescriptorLimit.needed(for: settings)
        let (soft, hard) = surroundings.descriptors
        let words = "\(needed) are needed, the limits are \(Self.limit(soft)) (soft) and \(Self.limit(hard)) (hard)"
        // The daemon raises its own soft limit.
        return hard >= UInt64(needed)
            ? Finding(.descriptors, nil, words) : Finding(.descriptorsLow, nil, words + ", as this was started")
    }

    private static func limit(_ number: UInt64) -> String { number == .max ? "none" : "\(number)" }
}

extension Duration {
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : whole &+ attoseconds / 1_000_000_000_000_000
    }
}
