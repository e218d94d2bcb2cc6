public import PosternKeySets
public import PosternTokens
public import PosternTransport

extension TokenVerifier {
    /// A verifier that fetches the keys of `provider` by itself when it first needs them, and keeps them fresh.
    ///
    /// It has a `RemoteKeySource` of its own, which its copies share: make one for each provider and keep it. To fetch before
    /// the first sign-in, to look at how the keys stand, or to share them between verifiers, make the source yourself and
    /// give it to `init(_:keys:issuedNonces:time:)`.
    ///
    /// - Parameters:
    ///   - provider: whose tokens are verified, and what is demanded of them.
    ///   - keyFolder: where a copy of the key set is kept, so that a restart while the issuer is away still verifies; it is
    ///     made with mode 0700 if it is not there (the folder above it must be), and must be writable by nobody else. The copy
    ///     is written soon after a set has come, not before the answer. Nil for no copy.
    ///   - network: time limits, whom to trust, proxy.
    ///   - issuedNonces: what issues the nonces of audiences with the rule `.issued`.
    ///   - observer: hears what happens to the keys, on any thread; it must not block.
    ///
    /// Throws `ConfigurationError` when an audience has the rule `.issued` and `issuedNonces` is nil, when a network setting
    /// cannot be used, or when the URL of a generic provider is none that may be asked.
    public init(
        _ provider: Provider,
        keyFolder: String? = nil,
        network: NetworkSettings = NetworkSettings(),
        issuedNonces: IssuedNonces? = nil,
        observer: @escaping @Sendable (KeySetEvent) -> Void = { _ in }
    ) throws(ConfigurationError) {
        try self.init(
            provider,
            keys: RemoteKeySource(provider, keyFolder: keyFolder, network: network, observer: observer),
            issuedNonces: issuedNonces
        )
    }
}
