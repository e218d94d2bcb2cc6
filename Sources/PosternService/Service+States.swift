internal import PosternAccounts
internal import PosternBase
internal import PosternJOSE
internal import PosternKeySets
internal import PosternTokens

// The state of the keys, and health as draft-inadarei-api-health-check-06 writes it.

extension Service {
    /// Seconds; keys may come at any moment.
    private static let retryWhenNotReady = "1"

    func live() -> Reply {
        var writer = JSONWriter()
        writer.object { $0.member("status", "pass") }
        return Reply(form: .health, body: writer.finish())
    }

    /// Ready while every provider has keys that serve, with a warning while they are past their time, and while accounts can be
    /// written and tokens signed, where there are accounts.
    func ready() -> Reply {
        let states = providers.map { (name: $0.name, status: $0.keys.status) }
        let own = accounts.map(states(of:)) ?? []
        let worst = (states.map { Health($0.status) } + own.map(\.health)).max() ?? .fail
        var writer = JSONWriter(capacity: 256)
        writer.object { writer in
            writer.member("status", worst.rawValue)
            writer.name("checks")
            writer.object { writer in
                for (name, status) in states {
                    writer.name(dynamic: "\(name):keys")
                    writer.array { $0.object { Self.write(status, to: &$0) } }
                }
                for (name, health, output) in own {
                    writer.name(name)
                    writer.array { writer in
                        writer.object { writer in
                            writer.member("status", health.rawValue)
                            if let output { writer.member("output", output) }
                        }
                    }
                }
            }
        }
        guard worst == .fail else { return Reply(form: .health, body: writer.finish()) }
        return Reply(
            status: 503, form: .health, body: writer.finish(), field: ("Retry-After", Self.retryWhenNotReady))
    }

    private func states(of accounts: Accounts) -> [(name: StaticString, health: Health, output: String?)] {
        let fault = storeFault()
        let isReady = accounts.keys.isReady
        return [
            ("accounts:store", fault == nil ? .pass : .fail, fault.map { "\($0.reason.rawValue): \($0.message)" }),
            (
                "accounts:signing_keys", isReady ? .pass : .fail,
                isReady ? nil : "There is no key to sign access tokens with."
            ),
        ]
    }

    private static func write(_ status: KeySetStatus, to writer: inout JSONWriter) {
        let health = Health(status)
        writer.member("status", health.rawValue)
        writer.member("observedValue", status.freshness.rawValue)
        if let output = output(status, health) { writer.member("output", output) }
    }

    private static func output(_ status: KeySetStatus, _ health: Health) -> String? {
        let failure = status.lastFailure.map { "\($0.code): \($0.message)" }
        switch health {
        case .pass: return nil
        case .warn:
            let age = "The keys are \(max(0, -(status.freshFor ?? 0))) s past their time and serve on."
            return [age, failure].compactMap { $0 }.joined(separator: " ")
        case .fail:
            return failure
                ?? (status.freshness == .expired ? "The keys are too long past their time." : "No keys have come yet.")
        }
    }

    func keyStates() -> Reply {
        var writer = JSONWriter(capacity: 1024)
        writer.object { writer in
            writer.name("providers")
            writer.array { writer in
                for served in providers { writer.object { Self.write(served, to: &$0) } }
            }
        }
        return Reply(body: writer.finish())
    }

    private static func write(_ served: ServedProvider, to writer: inout JSONWriter) {
        let status = served.keys.status
        writer.member("provider", served.name)
        writer.member("issuers", .strings(served.provider.issuerNames))
        writer.member("freshness", status.freshness.rawValue)
        writer.member("fresh_for", status.freshFor)
        writer.member("next_refresh", status.nextRefresh)
        writer.member("is_fetching", status.isFetching)
        writer.member("last_success", status.lastSuccess)
        writer.name("last_failure")
        if let failure = status.lastFailure {
            writer.object { writer in
                writer.member("code", failure.code.rawValue)
                writer.member("message", failure.message)
            }
        } else {
            writer.null()
        }
        writer.member("usable", .array(status.usableKeys.map(\.json)))
        writer.member("skipped", .array(status.skippedMembers.map(\.json)))
    }
}

/// The three words of health, the worst last.
private enum Health: String, Comparable {
    case pass, warn, fail

    init(_ status: KeySetStatus) {
        self =
            switch status.freshness {
            case .none, .expired: .fail
            case .stale: .warn
            case .fresh: status.usableKeys.isEmpty ? .fail : .pass
            }
    }

    static func < (left: Health, right: Health) -> Bool { left.order < right.order }

    private var order: Int {
        switch self {
        case .pass: 0
        case .warn: 1
        case .fail: 2
        }
    }
}
