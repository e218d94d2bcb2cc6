internal import PosternBase
internal import PosternJOSE

extension Judgement {
    /// The place of the configured audience that the token is for.
    mutating func checkAudience(_ claims: Claims) throws(Stop) -> Int {
        for index in core.audiences.indices where claims.audienceEquals(core.audiences[index]) {
            guard audience == nil || accepts(core.provider.audiences[index]) else { continue }
            passAudience(claims)
            return index
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
            throw refuseAudience(
                claims, "The token is for several of yours with different rules for nonces or single use")
        }
        passAudience(claims)
        return first
    }

    private mutating func passAudience(_ claims: Claims) {
        guard Recorder.keepsNotes else { return }
        let accepted = acceptedAudiences
        pass(.audience, expected: .list(accepted), seen: .list(claims.audienceList))
    }

    private func accepts(_ configured: Audience) -> Bool {
        configured.isLeftStanding(by: audience) || !enforces(.audienceOfRequest)
    }

    /// The client IDs that the request leaves standing.
    private var acceptedAudiences: [String] {
        let audience = audience
        return core.provider.audiences.filter { $0.isLeftStanding(by: audience) }.map(\.clientID)
    }

    private mutating func refuseAudience(_ claims: Claims, _ problem: String?) -> Stop {
        let accepted = acceptedAudiences
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
    /// Whether a request that names `audience`, or none, accepts this one.
    fileprivate func isLeftStanding(by audience: String?) -> Bool {
        guard let audience else { return true }
        return clientID.isSameBytes(as: audience)
    }

    fileprivate func hasSameRule(as other: Audience) -> Bool {
        nonce == other.nonce && acceptsUnsupportedNonce == other.acceptsUnsupportedNonce
            && isSingleUse == other.isSingleUse
    }
}

extension NotificationEvent {
    fileprivate var isAboutSomebody: Bool {
        [VerifiedNotification.Kind.emailDisabled, .emailEnabled, .consentRevoked, .accountDeleted].contains(kind)
    }
}
