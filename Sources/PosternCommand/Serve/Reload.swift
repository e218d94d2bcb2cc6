internal import PosternBase
internal import PosternService
internal import PosternTokens

/// What SIGHUP does: reads the settings anew and serves under them from the next request on. When anything is wrong with them
/// nothing changes.
struct Reload {
    private static let mostFaults = 20

    private let input: SettingsInput
    private let start: ServeSettings
    private let manager: ServiceManager?

    init(_ input: SettingsInput, since start: ServeSettings, _ manager: ServiceManager?) {
        self.input = input
        self.start = start
        self.manager = manager
    }

    /// What is served afterwards.
    func run(_ serving: Serving, _ current: CurrentService) -> Serving {
        manager?.tellReloading()
        do throws(CommandFailure) {
            let said = try settings(serving.settings)
            let next = try Serving(said.reloaded(since: start, after: serving.settings), after: serving)
            current.replace(with: next.service)
            next.setLog()
            let waiting = said.waiting(since: start)
            let names = next.settings.providers.map(\.provider.name)
            EventLog.write(.reloaded, [("providers", .list(names.map { .text($0, from: .settings) }))])
            if !waiting.isEmpty { Self.tell(waiting) }
            manager?.tellReady()
            return next
        } catch {
            Self.tell(error)
            manager?.tellReady("Serving under the settings of before: \(Self.first(error))")
            return serving
        }
    }

    private func settings(_ before: ServeSettings) throws(CommandFailure) -> ServeSettings {
        // A pipe would be waited for, and has been read.
        if let file = input.file, InputFile.isSpecial(file) {
            throw .trouble(
                "the settings come from \(RawArguments.quote(file)), which is no regular file: what can be read once only is "
                    + "not read again")
        }
        let settings = try input.settings()
        let next = settings.reloaded(since: start, after: before)
        try next.accounts?.checkLifetime()
        // The listeners are those of the start: what they need must not go.
        try ServeSettings.check(hasKeys: !next.apiKeys.isEmpty || !next.unread.isEmpty, next.listeners)
        try DescriptorLimit.raise(for: next)
        return settings
    }

    private static func tell(_ waiting: [String]) {
        EventLog.write(
            .restartNeeded,
            [
                ("settings", .list(waiting.map { .text($0, from: .ownWords) })),
                ("message", "these count from the next start on, and are as they were until then"),
            ])
    }

    private static func tell(_ failure: CommandFailure) {
        let faults = failure.faults.prefix(mostFaults).map(\.text)
        let all = faults.isEmpty ? [failure.message] : faults
        EventLog.write(
            .reloadFailed,
            [
                ("message", .text(first(failure), from: .settings)),
                ("faults", .list(all.map { .text($0, from: .settings) })),
            ])
    }

    private static func first(_ failure: CommandFailure) -> String { failure.faults.first?.text ?? failure.message }
}
