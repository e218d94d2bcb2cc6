internal import PosternAccounts
internal import PosternBase

/// What is counted of sessions, for as long as the process lives.
final class AccountTally: Sendable {
    static let methods = Session.Method.allCases.map(\.rawValue)
    /// Why somebody was not signed in: of a refused token the verdicts tell more.
    static let refusals = ["token_refused"] + signInCodes.map(\.rawValue)
    static let refreshResults = ["refreshed"] + refreshCodes.map(\.rawValue) + ["other"]

    private static let signInCodes: [ProblemCode] = [
        .accountBanned, .accountUnknown, .identityTaken, .invalidCredentials, .passwordsOff, .sessionEnded, .tokenUsed,
        .tooManyAttempts,
    ]
    private static let refreshCodes: [ProblemCode] = [
        .accountBanned, .refreshTokenReused, .refreshTokenUnknown, .sessionEnded,
    ]
    private static let firstRefusal = methods.count
    private static let firstRefresh = firstRefusal + refusals.count

    private let counters = StripedCounters(count: firstRefresh + refreshResults.count)

    func countOpened(_ method: Session.Method) {
        counters.add(at: Session.Method.allCases.firstIndex(of: method) ?? 0)
    }

    func countTokenRefused() { counters.add(at: Self.firstRefusal) }

    func countRefused(_ code: ProblemCode) {
        guard let place = Self.signInCodes.firstIndex(of: code) else { return }
        counters.add(at: Self.firstRefusal + 1 + place)
    }

    func countRefreshed() { counters.add(at: Self.firstRefresh) }

    func countNotRefreshed(_ code: ProblemCode) {
        let place = Self.refreshCodes.firstIndex(of: code) ?? Self.refreshCodes.count
        counters.add(at: Self.firstRefresh + 1 + place)
    }

    func opened(_ method: Int) -> UInt64 { counters[method] }
    func refused(_ place: Int) -> UInt64 { counters[Self.firstRefusal + place] }
    func refreshes(_ result: Int) -> UInt64 { counters[Self.firstRefresh + result] }
}
