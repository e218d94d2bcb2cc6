internal import PosternBase

/// What an unverified token says its issuer is: good for choosing whom to ask about it, and for nothing else.
package enum IssuerHint {
    /// The first of the verifiers whose provider has the token's `iss`, unverified, and where several have it, the first that
    /// has the audience that is asked for, or else one of the token's; nil when there is none.
    ///
    /// The one chosen makes every check itself, that of the issuer included, so a wrong hint leads to a refusal.
    package static func choose(
        among verifiers: [TokenVerifier],
        audience: String? = nil,
        for token: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard token.count <= TokenVerifier.maximumTokenSize,
            let start = token.firstIndex(of: 0x2E),
            let end = token[(start + 1)...].firstIndex(of: 0x2E),
            let payload = JSONText(base64URL: UnsafeBufferPointer(rebasing: token[(start + 1)..<end])),
            let claims = try? payload.read().root, let issuer = claims["iss"]?.string
        else { return nil }
        let tenant = claims["tid"]?.string
        let known = verifiers.indices.filter { verifiers[$0].provider.issuers.includes(issuer, tenant: tenant) }
        guard known.count > 1 else { return known.first }
        return known.first { verifiers[$0].provider.isMeant(by: claims["aud"], audience) } ?? known.first
    }
}

extension Provider {
    /// Whether it has the audience that is asked for, or else one of those in `aud`.
    fileprivate func isMeant(by claim: JSONValue?, _ audience: String?) -> Bool {
        if let audience { return audiences.contains { $0.clientID.isSameBytes(as: audience) } }
        let named = claim.map { $0.elements ?? [$0] } ?? []
        return audiences.contains { own in named.contains { $0.stringEquals(own.clientID) } }
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
