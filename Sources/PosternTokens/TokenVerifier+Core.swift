internal import PosternBase
internal import PosternJOSE

extension TokenVerifier {
    /// What all copies of a verifier share.
    final class Core: Sendable {
        let provider: Provider
        let keys: any KeySource
        let time: TimeSource
        let issuedNonces: IssuedNonces?
        let disabled: VerifierRules
        let headers = HeaderMemo()
        // What every token is held against, where it costs nothing to look at.
        let audiences: [FixedText]
        /// Empty for Microsoft's, who has one for each tenant.
        let issuers: [FixedText]
        let isMicrosoft: Bool
        let canonicalIssuer: String
        let algorithms: AlgorithmSet

        init(
            _ provider: Provider,
            _ keys: any KeySource,
            _ time: TimeSource,
            _ issuedNonces: IssuedNonces?,
            _ disabled: VerifierRules
        ) {
            self.provider = provider
            self.keys = keys
            self.time = time
            self.issuedNonces = issuedNonces
            self.disabled = disabled
            canonicalIssuer = provider.issuerNames.first ?? ""
            algorithms = AlgorithmSet(provider.algorithms)
            audiences = provider.audiences.map { FixedText($0.clientID) }
            switch provider.issuers {
            case .exactly(let texts): (issuers, isMicrosoft) = (texts.map(FixedText.init), false)
            case .microsoft: (issuers, isMicrosoft) = ([], true)
            }
        }

        deinit {
            for text in audiences + issuers { text.free() }
        }
    }
}
