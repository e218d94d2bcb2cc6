package import PosternBase
package import PosternHTTP
package import PosternJOSE
package import PosternTokens

/// A key set that was fetched once, for somebody who wants to look at it: no cache has seen it or will.
package struct FetchedKeySet: Sendable {
    /// Where it came from: for a provider with discovery, what the document said.
    package let url: String
    /// The JWK Set as it came.
    package let body: [UInt8]
    /// What is in it; there may be no usable key.
    package let keys: KeySet
    /// Seconds since 1970.
    package let fetchedAt: Int64
    /// Seconds for which a cache takes it to be fresh.
    package let timeToLive: Int64

    /// Fetches the set of `provider` now. Throws `ConfigurationError` when the URL of a generic provider is none that may be
    /// asked.
    package static func fetch(
        of provider: Provider,
        client: any HTTP.Client,
        allowsInsecureLoopback: Bool = false,
        time: TimeSource = .system
    ) async throws(ConfigurationError) -> Result<FetchedKeySet, KeySetFailure> {
        let location = try KeyLocation(provider, allowsInsecureLoopback: allowsInsecureLoopback)
        return await fetch(location, client, allowsInsecureLoopback, time)
    }

    /// Fetches the set at `url` now; whether it may be asked is for the caller and the client to say.
    package static func fetch(
        from url: String,
        client: any HTTP.Client,
        time: TimeSource = .system
    ) async -> Result<FetchedKeySet, KeySetFailure> {
        await fetch(.keySet(url: url), client, false, time)
    }

    private static func fetch(
        _ location: KeyLocation,
        _ client: any HTTP.Client,
        _ allowsInsecureLoopback: Bool,
        _ time: TimeSource
    ) async -> Result<FetchedKeySet, KeySetFailure> {
        let flight = KeySetFlight(
            client: client,
            location: location,
            allowsInsecureLoopback: allowsInsecureLoopback,
            known: nil,
            discovered: nil,
            clock: .system
        )
        do throws(KeySetFailure) {
            return .success(try await flight.fetchOnce(time))
        } catch {
            return .failure(error)
        }
    }
}

extension KeySetFlight {
    fileprivate func fetchOnce(_ time: TimeSource) async throws(KeySetFailure) -> FetchedKeySet {
        let url: String
        switch location {
        case .keySet(let pinned): url = pinned
        case .discovery(let issuer): url = try await find(issuer).keySetURL
        }
        let response = try await ask(HTTP.Request(.get, url, fields: Self.fields()))
        try Self.check(response, of: "The key set")
        do throws(KeySetError) {
            return FetchedKeySet(
                url: url,
                body: response.body,
                keys: try KeySet(response.body),
                fetchedAt: time.now(),
                timeToLive: CacheControl.timeToLive(response.fields) ?? KeySetLimits.usualTimeToLive
            )
        } catch {
            throw KeySetFailure(.notAKeySet, error.message)
        }
    }
}
