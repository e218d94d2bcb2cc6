public import PosternJOSE
package import PosternTokens

/// How a key source stands.
public struct KeySetStatus: Sendable {
    /// How far the set at hand can be relied on.
    public enum Freshness: String, Sendable {
        /// There is none.
        case none
        /// Within its time.
        case fresh
        /// Past its time; it serves while the issuer cannot be asked.
        case stale
        /// Too long past its time; it serves no more.
        case expired
    }

    /// How far the set at hand can be relied on.
    public let freshness: Freshness
    /// The keys of the set at hand that verify.
    public let usableKeys: [VerificationKey]
    /// The members of the set at hand that do not, and why.
    public let skippedMembers: [SkippedMember]
    /// Seconds from now until the set is past its time; negative afterwards, nil when there is none.
    public let freshFor: Int64?
    /// Seconds from now until the next fetch in the background; nil when none is planned.
    public let nextRefresh: Int64?
    /// Whether the issuer is being asked now.
    public let isFetching: Bool
    /// When the issuer last gave or confirmed a usable set, in seconds since 1970; nil if never since the start.
    public let lastSuccess: Int64?
    /// Why the last fetch failed; nil when it did not.
    public let lastFailure: KeySetFailure?
    /// Verifications that wait for a set now.
    package let waiting: Int

    package init(
        freshness: Freshness,
        usableKeys: [VerificationKey],
        skippedMembers: [SkippedMember] = [],
        freshFor: Int64? = nil,
        nextRefresh: Int64? = nil,
        isFetching: Bool = false,
        lastSuccess: Int64? = nil,
        lastFailure: KeySetFailure? = nil,
        waiting: Int = 0
    ) {
        self.freshness = freshness
        self.usableKeys = usableKeys
        self.skippedMembers = skippedMembers
        self.freshFor = freshFor
        self.nextRefresh = nextRefresh
        self.isFetching = isFetching
        self.lastSuccess = lastSuccess
        self.lastFailure = lastFailure
        self.waiting = waiting
    }
}

/// A key source that can say how it stands.
package protocol ReportingKeySource: KeySource {
    var status: KeySetStatus { get }
}

extension RemoteKeySource: ReportingKeySource {}
extension FileKeySource: ReportingKeySource {}
