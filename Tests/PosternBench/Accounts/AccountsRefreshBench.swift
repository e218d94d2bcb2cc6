import CStoreLimit

/// Refreshes with real tokens, each durable before its client has the next one.
struct AccountsRefreshBench {
    private static let clients = 64

    private let folder: BenchFolder
    private let people = AccountsPeople(count: 64 * 400)
    private let counters = RefreshCounters()

    init() async throws {
        folder = try BenchFolder()
        try await people.fill(folder.data)
    }

    /// Prints `accounts, refresh, 64 clients  11000 (10400-11900)/s  p50 5.10 p99 9.00 ms  70.10 us CPU`, and a line with a slow disk.
    func run(rounds: Int) async throws {
        let place = try await AccountsPlace(folder.data)
        var outcomes: [AccountsLoad.Outcome] = []
        for round in 0...rounds {
            let outcome = try await refreshes(place, Self.clients, seed: round, seconds: 1)
            if round > 0 { outcomes.append(outcome) }
        }
        print("accounts, refresh, \(Self.clients) clients  \(Self.text(outcomes))")
        store_limit_set_delay(2_000)
        defer { store_limit_set_delay(0) }
        var (many, single) = ([AccountsLoad.Outcome](), [AccountsLoad.Outcome]())
        for round in 0..<max(rounds / 2, 3) {
            many.append(try await refreshes(place, Self.clients, seed: rounds + 1 + round, seconds: 1))
            single.append(try await refreshes(place, 1, seed: rounds + 1 + round, seconds: 1))
        }
        print(
            "accounts, refresh, fdatasync + 2 ms  \(Self.clients) clients \(Self.text(many))  "
                + "one by one \(Int(Spread(single.map(\.rate)).median))/s  "
                + "ratio \(Spread(zip(many, single).map { $0.rate / $1.rate }))")
        await place.close()
    }

    private func refreshes(
        _ place: AccountsPlace,
        _ count: Int,
        seed: Int,
        seconds: Double
    ) async throws -> AccountsLoad.Outcome {
        let clients = try (0..<count).map {
            try RefreshingClient(place.accounts, people, counters, place: $0, of: count, seed: seed)
        }
        return try await AccountsLoad.run(clients, seconds: seconds)
    }

    private static func text(_ outcomes: [AccountsLoad.Outcome]) -> String {
        let rates = Spread(outcomes.map(\.rate))
        func milliseconds(_ share: Double) -> String {
            Measurement.fixed(Spread(outcomes.map { $0.waits.quantile(share) * 1e3 }).median)
        }
        return "\(Int(rates.median)) (\(Int(rates.quantile(0)))-\(Int(rates.quantile(1))))/s  "
            + "p50 \(milliseconds(0.5)) p99 \(milliseconds(0.99)) ms  "
            + "\(Measurement.fixed(Spread(outcomes.map(\.cpu)).median)) us CPU"
    }
}
