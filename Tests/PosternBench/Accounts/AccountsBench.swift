import Glibc

/// What is done with accounts and sessions: what design and documentation promise of it, a line each.
struct AccountsBench {
    let rounds: Int
    /// The lines that are named, or none for all that need no daemon.
    private let lines: [String]
    /// How many accounts the line `growth` makes.
    private let count: Int
    /// The daemon.
    private let program: String

    /// - Parameter words: names of lines, a number of accounts, and a program, which has a slash.
    init(rounds: Int, _ words: [String] = []) {
        self.rounds = max(rounds, 1)
        count = words.compactMap { Int($0) }.first ?? 100_000
        program = words.first { $0.contains("/") } ?? ".build/release/postern"
        lines = words.filter { Int($0) == nil && !$0.contains("/") }
    }

    func run() async throws {
        func has(_ line: String) -> Bool { lines.isEmpty || lines.contains(line) }
        if has("sign-in") { try await AccountsPasswordBench().signIn(rounds: rounds) }
        if has("unknown") { try await AccountsPasswordBench().unknown(tries: 400) }
        if has("refresh") { try await AccountsRefreshBench().run(rounds: rounds) }
        if has("growth") { try await AccountsGrowthBench(count: count).run(rounds: rounds) }
        if lines.contains("storm") || lines.contains("daemon") {
            let bench = try await AccountsServerBench(program: program, rounds: rounds)
            if lines.contains("daemon") { try bench.refreshes() }
            if lines.contains("storm") { try bench.storm() }
        }
    }

    /// `12.3 %` with its sign, of a share.
    static func percent(_ share: Double) -> String {
        "\(share < 0 ? "-" : "+")\(Measurement.fixed(abs(share) * 100))"
    }
}
