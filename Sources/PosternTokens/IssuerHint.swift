internal import PosternBase

/// What an unverified token says its issuer is: good for choosing whom to ask about it, and for nothing else.
package enum IssuerHint {
    /// The first of the verifiers whose provider has the token's `iss`, unverified; nil when there is none.
    ///
    /// The one chosen makes every check itself, that of the issuer included, so a wrong hint leads to a refusal.
    package static func choose(
        among verifiers: [TokenVerifier],
        for token: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard token.count <= TokenVerifier.maximumTokenSize,
            let start = token.firstIndex(of: 0x2E),
            let end = token[(start + 1)...].firstIndex(of: 0x2E),
            let payload = JSONText(base64URL: UnsafeBufferPointer(rebasing: token[(start + 1)..<end])),
            let claims = try? payload.read().root, let issuer = claims["iss"]?.string
        else { return nil }
        let tenant = claims["tid"]?.string
        return verifiers.firstIndex { $0.provider.issuers.includes(issuer, tenant: tenant) }
    }
}

extension IssuerRule {
    /// Whether it is an issuer of the provider; `tenant` is the token's own.
    fileprivate func includes(_ issuer: String, tenant: String?) -> Bool {
        switch self {
        case .exactly(let issuers): return issuers.containsBytes(of: issuer)
        case .microsoft(let rule):
            guard let tenant, rule.accepts(tenant) else { return false }
            return MicrosoftTenant.issuer(of: tenant).isSameBytes(as: issuer)
        }
    }
}
