public import PosternBase

/// A nonce for one sign-in attempt.
public struct IssuedNonce: Sendable {
    /// The raw nonce; the client keeps it and hands it in with the token.
    public let nonce: String
    /// What the client sends to the provider as `nonce`.
    public let sha256Hex: String
    /// Seconds since 1970.
    public let expiresAt: Int64
}

/// Issues nonces and lets each be used once; in memory, so a restart refuses the nonces of before.
public struct IssuedNonces: Sendable {
    private enum Memory: Sendable {
        case process(MemoryNonceRedeemer)
        case stored(any NonceStore)
    }

    let issuer: NonceIssuer
    private let memory: Memory
    private let time: TimeSource

    /// An issuer of nonces, with a key that ends with it; throws `ConfigurationError` when a number is out of range.
    ///
    /// - Parameters:
    ///   - lifetime: seconds from issue to expiry, 10 to 86,400.
    ///   - capacity: nonces that have been issued and have not expired, used or not; while there are so many, no new ones are
    ///     issued, so that each can still be used.
    public init(
        lifetime: Int64 = 600,
        capacity: Int = 1_000_000,
        time: TimeSource = .system
    ) throws(ConfigurationError) {
        try self.init(lifetime: lifetime, capacity: capacity, time: time, random: .system)
    }

    package init(
        lifetime: Int64,
        capacity: Int,
        time: TimeSource,
        random: RandomSource
    ) throws(ConfigurationError) {
        guard capacity > 0 else { throw ConfigurationError("The capacity for nonces is \(capacity).") }
        issuer = try NonceIssuer(keys: [.ephemeral(random)], lifetime: lifetime, random: random)
        memory = .process(MemoryNonceRedeemer(capacity: capacity, lifetime: lifetime))
        self.time = time
    }

    /// Nonces whose keys and whose use outlive the process. They take no room until they are used, so there is no end to them.
    package init(_ issuer: NonceIssuer, store: any NonceStore, time: TimeSource = .system) {
        self.issuer = issuer
        memory = .stored(store)
        self.time = time
    }

    /// Whether to redeem one is to wait for a store.
    var isStored: Bool { if case .stored = memory { true } else { false } }

    /// A new nonce for a sign-in of `audience`; nil while so many are issued and not expired that it might not be usable, or
    /// after the clock was set back by more than a lifetime.
    public func issue(audience: String) throws(VerificationFault) -> IssuedNonce? {
        let now = time.now()
        if case .process(let redeemer) = memory {
            guard redeemer.reserve(expiresAt: now + issuer.lifetime, now: now) else { return nil }
        }
        return try issuer.issue(audience: audience, now: now)
    }

    /// How many have been redeemed, and how full the memory is.
    package struct Statistics: Sendable, Equatable {
        package let redeemed: UInt64
        /// Issued and not expired, used or not.
        package let outstanding: Int
        package let capacity: Int
    }

    /// nil where a store keeps them.
    package var statistics: Statistics? {
        guard case .process(let redeemer) = memory else { return nil }
        return redeemer.statistics(now: time.now())
    }

    /// nil when the nonce is now used, or the refusal. Where a store keeps them, whoever cannot wait is told so.
    func redeem(_ nonce: NonceToRedeem, now: Int64, consume: Bool) throws(VerificationFault) -> Refusal? {
        guard case .process(let redeemer) = memory else {
            throw .storeUnavailable("The nonce could not be redeemed: that means to wait for the store.")
        }
        let name = Array(try Nonce.hash(of: nonce.nonce).utf8)
        return Self.refusal(redeemer.redeem(name, expiresAt: nonce.expiresAt, now: now, consume: consume))
    }

    /// The same, and waits for the store where there is one.
    func redeemed(_ nonce: NonceToRedeem, now: Int64, consume: Bool) async throws(VerificationFault) -> Refusal? {
        guard case .stored(let store) = memory else { return try redeem(nonce, now: now, consume: consume) }
        let redeemable = try Self.redeemable(nonce)
        return Self.refusal(
            try await store.redeem(redeemable.name, expiresAt: nonce.expiresAt, now: now, consume: consume))
    }

    static func redeemable(_ nonce: NonceToRedeem) throws(VerificationFault) -> RedeemableNonce {
        RedeemableNonce(name: try Nonce.digest(of: nonce.nonce), expiresAt: nonce.expiresAt)
    }

    /// What is said of a nonce that cannot be redeemed; nil when it was.
    package static func refusal(_ redemption: Redemption) -> Refusal? {
        switch redemption {
        case .redeemed: return nil
        case .used:
            return Refusal(.nonceUsed, "The nonce was used before: each sign-in needs a new one.")
        case .expired:
            return Refusal(.nonceExpired, "The nonce has expired: ask for a new one before each sign-in.")
        }
    }
}
