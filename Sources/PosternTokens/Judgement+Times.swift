internal import PosternJOSE

// Every time here is below 2^40 and every leeway below 2^9, so no sum can overflow.
extension Judgement {
    mutating func checkTimes(_ claims: Claims) throws(Stop) {
        try checkExpiry(claims)
        try checkNotBefore(claims)
        try checkIssuedAt(claims)
        try checkAge(claims)
    }

    private mutating func checkExpiry(_ claims: Claims) throws(Stop) {
        let (now, leeway) = (now, core.provider.leeway)
        guard let expiry = claims.expiry else {
            // Only a notification may lack it.
            recorder.note(.expiry, .skipped, expected: nil, seen: nil)
            return
        }
        guard now < expiry + leeway || !enforces(.expiry) else {
            throw refuse(
                .expiry,
                .tokenExpired,
                "The token expired \(now - expiry) s ago (leeway \(leeway) s); the client must sign in anew.",
                expected: .text("now (\(now)) before exp + \(leeway)"),
                seen: .number(expiry)
            )
        }
        pass(.expiry, expected: .text("now (\(now)) before exp + \(leeway)"), seen: .number(expiry))
    }

    private mutating func checkNotBefore(_ claims: Claims) throws(Stop) {
        let (now, leeway) = (now, core.provider.leeway)
        guard let notBefore = claims.notBefore else {
            recorder.note(.notBefore, .skipped, expected: nil, seen: nil)
            return
        }
        guard notBefore <= now + leeway || !enforces(.notBefore) else {
            throw refuse(
                .notBefore,
                .tokenNotYetValid,
                "The token is valid only in \(notBefore - now) s (leeway \(leeway) s); check the clock of this machine.",
                expected: .text("nbf at most now (\(now)) + \(leeway)"),
                seen: .number(notBefore)
            )
        }
        pass(.notBefore, expected: .text("nbf at most now (\(now)) + \(leeway)"), seen: .number(notBefore))
    }

    private mutating func checkIssuedAt(_ claims: Claims) throws(Stop) {
        let (now, leeway) = (now, core.provider.leeway)
        let issuedAt = claims.issuedAt ?? 0
        if issuedAt > now + leeway, enforces(.issuedAt) {
            throw refuseFuture("iat", issuedAt)
        }
        if core.provider.traits.authenticationTimeRequired, let time = claims.authenticationTime,
            time > now + leeway, enforces(.authenticationTime)
        {
            throw refuseFuture("auth_time", time)
        }
        if let expiry = claims.expiry, issuedAt > expiry, enforces(.timeOrder) {
            throw refuse(
                .issuedAt,
                .claimsMalformed,
                "The token was issued after it expired (iat is later than exp).",
                expected: .text("iat at most exp (\(expiry))"),
                seen: .number(issuedAt)
            )
        }
        pass(.issuedAt, expected: .text("iat at most now (\(now)) + \(leeway)"), seen: .number(issuedAt))
    }

    private mutating func refuseFuture(_ name: String, _ time: Int64) -> Stop {
        let (now, leeway) = (now, core.provider.leeway)
        return refuse(
            .issuedAt,
            .issuedInFuture,
            "The token says that it was made in \(time - now) s (\(name), leeway \(leeway) s); check the clock of this machine.",
            expected: .text("\(name) at most now (\(now)) + \(leeway)"),
            seen: .number(time)
        )
    }

    private mutating func checkAge(_ claims: Claims) throws(Stop) {
        let leeway = core.provider.leeway
        guard let maximumAge = core.provider.maximumAge, !isNotification else {
            recorder.note(.age, .skipped, expected: nil, seen: nil)
            return
        }
        let age = now - (claims.issuedAt ?? 0)
        guard age <= maximumAge + leeway || !enforces(.age) else {
            throw refuse(
                .age,
                .tokenTooOld,
                "The token was made \(age) s ago; at most \(maximumAge) s (and \(leeway) s leeway) are allowed: "
                    + "the client must sign in anew.",
                expected: .text("at most \(maximumAge) + \(leeway) s since iat"),
                seen: .number(age)
            )
        }
        pass(.age, expected: .text("at most \(maximumAge) + \(leeway) s since iat"), seen: .number(age))
    }
}
