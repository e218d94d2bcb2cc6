public import PosternKeySets
public import PosternTokens
public import PosternTransport

extension RemoteKeySource {
    /// A source of the keys of `provider`, with an HTTPS client of its own. It asks nobody yet; see `warm`.
    ///
    /// The client's one thread starts with the first fetch and ends with the source. It is shared with no other source:
    /// another issuer is another host, so there would be no connection to share, and settings stay with whom they are for.
    ///
    /// - Parameters:
    ///   - provider: whose keys they are; it says where they are to be had.
    ///   - keyFolder: where a copy of the set is kept, so that a restart while the issuer is away still verifies; it is made
    ///     with mode 0700 if it is not there, and must be writable by nobody else. Nil for no copy. A copy serves only those
    ///     who trust the same authorities; with `allowsInsecureLoopback` none is kept.
    ///   - network: time limits, whom to trust, proxy. Plain `http` to a loopback address is allowed where it says so.
    ///   - observer: hears what happens, on any thread; it must not block.
    ///
    /// Throws `ConfigurationError` when a setting is out of range, `caFile` cannot be read, or the URL of a generic provider
    /// is none that may be asked.
    public convenience init(
        _ provider: Provider,
        keyFolder: String? = nil,
        network: NetworkSettings = NetworkSettings(),
        observer: @escaping @Sendable (KeySetEvent) -> Void = { _ in }
    ) throws(ConfigurationError) {
        try self.init(
            provider,
            client: CurlClient(checked: network),
            keyFolder: keyFolder,
            allowsInsecureLoopback: network.allowsInsecureLoopback,
            trust: network.caFile.map { path throws(ConfigurationError) in
                try KeyTrust.name(ofAuthoritiesIn: path)
            },
            observer: observer
        )
    }
}

extension CurlClient {
    /// Whoever sets up a verifier gets one kind of error.
    fileprivate convenience init(checked settings: NetworkSettings) throws(ConfigurationError) {
        do throws(NetworkSettingsError) {
            try self.init(settings)
        } catch {
            throw ConfigurationError("The network setting \(error.setting) cannot be used. \(error.message)")
        }
    }
}
