internal import PosternBase
internal import PosternJOSE

extension Judgement {
    /// The place of the configured audience that the token is for.
    mutating func checkAudience(_ claims: Claims) throws(Stop) -> Int {
        let (core, request) = (core, request)
        for index in core.provider.audiences.indices where accepts(core.provider.audiences[index]) {
            if claims.audienceEquals(core.provider.audiences[index].clientID) {
                pass(
                    .audience,
                    expected: .list(request.accepted(core.provider.audiences)),
                    seen: .list(claims.audienceList)
                )
                return index
            }
        }
        guard let value = claims.audienceValue else {
            if !enforces(.audience) { return 0 }
            throw refuseAudience(claims, nil)
        }
        if let values = value.elements { return try checkSeveralAudiences(values, claims) }
        if !enforces(.audience) { return 0 }
        throw refuseAudience(claims, nil)
    }

    private mutating func checkSeveralAudiences(_ values: [JSONValue], _ claims: Claims) throws(Stop) -> Int {
        let (core, request) = (core, request)
        let audiences = core.provider.audiences
        var found: [Int] = []
        for value in values {
            let match = audiences.firstIndex { accepts($0) && value.stringEquals($0.clientID) }
            if let match {
                found.append(match)
            } else if enforces(.everyAudience), enforces(.audience), values.count > 1 {
                let other = value.string.map(Excerpt.quote) ?? "somebody else"
                throw refuseAudience(claims, "The token is also for \(other), which is none of the audiences")
            }
        }
        guard let first = found.first else {
            if !enforces(.audience) { return 0 }
            throw refuseAudience(claims, nil)
        }
        let agree = found.allSatisfy { audiences[$0].hasSameRule(as: audiences[first]) }
        guard agree || !enforces(.everyAudience) else {
            throw refuseAudience(claims, "The token is for several of yours with different nonce rules")
        }
        pass(.audience, expected: .list(request.accepted(audiences)), seen: .list(claims.audienceList))
        return first
    }

    private func accepts(_ audience: Audience) -> Bool { request.accepts(audience) || !enforces(.audienceOfRequest) }

    private mutating func refuseAudience(_ claims: Claims, _ problem: String?) -> Stop {
        let accepted = request.accepted(provider.audiences)
        let seen = claims.audienceList
        let wanted = accepted.map(Excerpt.quote).joined(separator: ", ")
        let problem =
            problem.map { "\($0), not just for \(wanted)" }
            ?? "The token is for \(seen.prefix(8).map(Excerpt.quote).joined(separator: ", ")), not for \(wanted)"
        return refuse(
            .audience,
            .audienceMismatch,
            seen.isEmpty
                ? "The token is for nobody: aud is missing or empty."
                : "\(problem); the audience is the client ID: a bundle ID for apps, a Services ID for the web.",
            expected: .list(accepted),
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
                claims.subjectByteCount ?? 0
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
        [VerifiedNotification.Kind.emailDisabled, .emailEnabled, .consentRevoked, .accountDeleted].contains(kind)
    }
}
