internal import PosternBase
internal import PosternJOSE

extension Judgement {
    /// The configured audience that the token is for.
    mutating func checkAudience(_ claims: Claims) throws(Stop) -> Audience {
        let accepted = provider.audiences.filter { audience in
            request.audience.map { audience.clientID.isSameBytes(as: $0) } ?? true
        }
        guard let value = claims.audienceValue else {
            throw refuseAudience(claims, accepted, "The token is for nobody (aud is missing)")
        }
        if value.kind == .string { return try checkOneAudience(value, claims, accepted) }
        return try checkSeveralAudiences(value.elements ?? [], claims, accepted)
    }

    private mutating func checkOneAudience(
        _ value: JSONValue,
        _ claims: Claims,
        _ accepted: [Audience]
    ) throws(Stop) -> Audience {
        if let audience = accepted.first(where: { value.stringEquals($0.clientID) }) {
            pass(.audience, expected: .list(accepted.map(\.clientID)), seen: .text(audience.clientID))
            return audience
        }
        if !enforces(.audience), let any = provider.audiences.first { return any }
        throw refuseAudience(claims, accepted, nil)
    }

    private mutating func checkSeveralAudiences(
        _ values: [JSONValue],
        _ claims: Claims,
        _ accepted: [Audience]
    ) throws(Stop) -> Audience {
        var found: [Audience] = []
        for value in values {
            if let audience = accepted.first(where: { value.stringEquals($0.clientID) }) {
                found.append(audience)
            } else if enforces(.everyAudience), enforces(.audience), values.count > 1 {
                throw refuseAudience(claims, accepted, "The token is also for somebody else")
            }
        }
        guard let audience = found.first else {
            if !enforces(.audience), let any = provider.audiences.first { return any }
            throw refuseAudience(claims, accepted, nil)
        }
        guard !enforces(.everyAudience) || found.allSatisfy({ $0.hasSameRule(as: audience) }) else {
            throw refuseAudience(claims, accepted, "The token is for several of yours with different nonce rules")
        }
        pass(.audience, expected: .list(accepted.map(\.clientID)), seen: .text(audience.clientID))
        return audience
    }

    private mutating func refuseAudience(_ claims: Claims, _ accepted: [Audience], _ problem: String?) -> Stop {
        let seen = claims.audienceList
        let problem = problem ?? "The token is for \(seen.prefix(8).map(Excerpt.quote).joined(separator: ", "))"
        return refuse(
            .audience,
            .audienceMismatch,
            seen.isEmpty && claims.audienceValue != nil
                ? "The token is for nobody (aud is empty)."
                : "\(problem), not just for \(accepted.map { Excerpt.quote($0.clientID) }.joined(separator: ", ")); "
                    + "the audience is the client ID: a bundle ID for apps, a Services ID for the web.",
            expected: .list(accepted.map(\.clientID)),
            seen: .list(seen.prefix(8).map { Excerpt.plain($0) })
        )
    }

    /// `azp` names who may present the token; where it stands it must be one of ours (OpenID Connect Core §3.1.3.7, errata 2).
    mutating func checkAuthorizedParty(_ claims: Claims) throws(Stop) {
        guard let party = claims.authorizedParty else {
            recorder.note(.authorizedParty, .skipped, expected: nil, seen: nil)
            return
        }
        let known = provider.audiences.map(\.clientID) + provider.presenters
        guard known.containsBytes(of: party) || !enforces(.authorizedParty) else {
            throw refuse(
                .authorizedParty,
                .authorizedPartyMismatch,
                "The token was made for \(Excerpt.quote(party)) to present (azp), which is neither an audience nor a presenter of yours.",
                expected: .list(known),
                seen: .optional(party)
            )
        }
        pass(.authorizedParty, expected: .list(known), seen: .optional(party))
    }

    mutating func checkSubject(_ claims: Claims, _ event: NotificationEvent?) throws(Stop) {
        let count: Int =
            if let event {
                // Types that Apple adds later may speak of nobody.
                event.subject?.count ?? (event.isAboutSomebody ? 0 : 1)
            } else {
                claims.subjectValue?.stringByteCount ?? 0
            }
        guard count > 0 || !enforces(.subject) else {
            throw refuse(.subject, .subjectMissing, "The token names nobody: sub is missing or empty.")
        }
        pass(.subject)
    }
}

extension Audience {
    fileprivate func hasSameRule(as other: Audience) -> Bool {
        nonce == other.nonce && acceptsUnsupportedNonce == other.acceptsUnsupportedNonce
    }
}

extension NotificationEvent {
    fileprivate var isAboutSomebody: Bool {
        if case .other = kind { return false }
        return true
    }
}
