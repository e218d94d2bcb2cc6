package import PosternKeySets
package import PosternTokens

/// A provider whose tokens the service verifies.
package struct ServedProvider: Sendable {
    package let verifier: TokenVerifier
    /// The source that the verifier asks.
    package let keys: any ReportingKeySource

    package init(_ verifier: TokenVerifier, keys: any ReportingKeySource) {
        self.verifier = verifier
        self.keys = keys
    }

    var provider: Provider { verifier.provider }
    /// Unlike that of all other providers of the service.
    var name: String { provider.name }
}
