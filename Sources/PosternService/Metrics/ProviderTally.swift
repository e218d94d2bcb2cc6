internal import PosternBase
package import PosternKeySets
internal import PosternTokens

/// What is counted for one provider, or for tokens that are no provider's.
///
/// It belongs to the name and outlives changes of the settings, so that counters go on.
package final class ProviderTally: Sendable {
    /// What can come of a token, in the order of its places: accepted, no verdict for one of the faults, refused for each reason.
    static let outcomes: [(verdict: String, code: String)] =
        [
            ("accepted", ""), ("fault", VerificationFault.Code.keysUnavailable.rawValue),
            ("fault", VerificationFault.Code.storeUnavailable.rawValue),
        ]
        + RefusalCode.all.map { ("refused", $0.rawValue) }

    static let acceptedPlace = 0
    static let faultPlace = 1
    static let storeFaultPlace = 2
    static func place(ofFault code: VerificationFault.Code) -> Int {
        code == .storeUnavailable ? storeFaultPlace : faultPlace
    }
    static func place(ofRefusal code: RefusalCode) -> Int { 3 &+ code.place }

    /// What can come of asking the issuer, in the order of its places.
    static let fetchResults = ["fetched", "not_modified"] + KeySetFailure.Code.all.map(\.rawValue) + ["other"]

    /// What is told before it has come; all other outcomes and results have no series until then.
    static func isListed(outcome place: Int) -> Bool { place == acceptedPlace || place == faultPlace }
    static func isListed(fetch place: Int) -> Bool { place < 2 }

    private static let firstFetch = outcomes.count
    private static let unasked = firstFetch + fetchResults.count

    private let counters: StripedCounters
    private let firstDuration: Int

    init() {
        firstDuration = Self.unasked + 1
        counters = StripedCounters(count: firstDuration + DurationHistogram.width)
    }

    /// A token was judged, which began at `started`. What comes next begins now: to look at the clock costs as much as a hundred
    /// instructions.
    func count(outcome: Int, since started: inout UInt64) {
        let now = Stopwatch.now()
        counters.add(at: outcome, observing: now &- started, in: firstDuration)
        started = now
    }

    /// A token was judged in a time that says nothing of tokens.
    func count(outcome: Int) { counters.add(at: outcome) }

    var durations: DurationHistogram { DurationHistogram(counters, at: firstDuration) }
    var hasDurations: Bool { durations.totalNanoseconds > 0 }

    func verdicts(_ outcome: Int) -> UInt64 { counters[outcome] }

    /// Something happened to the provider's keys.
    package func count(_ event: KeySetEvent) {
        switch event {
        case .fetched: counters.add(at: Self.firstFetch)
        case .notModified: counters.add(at: Self.firstFetch + 1)
        case .failed(let failure):
            let place = Self.fetchResults.firstIndex { $0.isSameBytes(as: failure.code.rawValue) }
            counters.add(at: Self.firstFetch + (place ?? Self.fetchResults.count - 1))
        case .unknownKeyNotFetched: counters.add(at: Self.unasked)
        case .replaced, .servingStale, .loadedFromDisk, .diskCopyIgnored, .diskCopyNotWritten: break
        }
    }

    func fetches(_ result: Int) -> UInt64 { counters[Self.firstFetch + result] }

    /// Tokens with an unknown key for which nobody was asked, since somebody had been a moment ago.
    var unaskedUnknownKeys: UInt64 { counters[Self.unasked] }
}
