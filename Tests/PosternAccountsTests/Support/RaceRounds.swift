import Foundation

/// How often a race is run: more often in the long suite.
enum RaceRounds {
    static let count = ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"].flatMap { Int($0) } ?? 20
}

/// Runs `body` so many times at once, and gathers what came of each.
func atOnce<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) async -> Value) async -> [Value] {
    await withTaskGroup(of: Value.self) { group in
        for index in 0..<count { group.addTask { await body(index) } }
        return await group.reduce(into: []) { $0.append($1) }
    }
}
