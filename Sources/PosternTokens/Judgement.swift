internal import PosternBase
internal import PosternCrypto
internal import PosternJOSE

/// What a token has been found to be once every check has passed.
///
/// Moved along and never copied: what it refers to is counted once.
struct Evidence: ~Copyable {
    let claims: Claims
    let issuer: String
    /// The place of the audience among the provider's.
    let audienceIndex: Int
    let event: NotificationEvent?
    /// An issued nonce that fits and is still to be redeemed.
    let nonceToRedeem: NonceToRedeem?

    /// Nothing is evidence without a verified signature.
    init(
        _ proof: consuming VerifiedJWS,
        _ claims: Claims,
        issuer: String,
        audienceIndex: Int,
        event: NotificationEvent?,
        nonceToRedeem: NonceToRedeem?
    ) {
        self.claims = claims
        self.issuer = issuer
        self.audienceIndex = audienceIndex
        self.event = event
        self.nonceToRedeem = nonceToRedeem
    }
}

struct NonceToRedeem {
    let nonce: String
    let expiresAt: Int64
    /// Whether the token holds its hash; it may lack it by an explicit setting only.
    let isCompared: Bool
}

/// Why judging ended before the end.
enum Stop: Error {
    case refused(Refusal)
    case fault(VerificationFault)
    /// No key is at hand, or not the one that the token names; nil when it names none.
    case keyMissing(String?)
}

/// How judging ended.
enum Judged: ~Copyable {
    case passed(Evidence)
    case stopped(Stop)

    /// Why it stopped, if it did.
    var stop: Stop? {
        switch self {
        case .passed: nil
        case .stopped(let stop): stop
        }
    }

    /// An issued nonce that fits, of a token that passed.
    var nonceToRedeem: NonceToRedeem? {
        switch self {
        case .passed(let evidence): evidence.nonceToRedeem
        case .stopped: nil
        }
    }
}

/// Makes all checks of one token in their order: no clock, no network, and nothing remembered that decides anything.
struct Judgement<Recorder: CheckRecorder>: ~Copyable {
    let core: TokenVerifier.Core
    /// The only audience that the request accepts, if it names one.
    let audience: String?
    let isNotification: Bool
    let keys: KeySet?
    /// Whether `keys` is the last word, or a newer set might be had.
    let keysAreFinal: Bool
    let now: Int64
    var recorder: Recorder

    var provider: Provider { core.provider }

    mutating func judge(
        _ jws: borrowing UnverifiedJWS,
        _ request: borrowing VerificationRequest
    ) throws(Stop) -> Evidence {
        let algorithm = try checkAlgorithm(jws.header)
        try checkCritical(jws.header)
        let claims = try readClaims(jws.payload)
        let issuer = try checkIssuer(claims)
        let key = try chooseKey(jws.header, algorithm, claims, issuer)
        let proof = try checkSignature(jws, key, algorithm)
        core.headers.keep(jws)
        // From here on the claims are believed.
        let event = try checkKind(jws.header, claims)
        let audience = try checkAudience(claims)
        try checkAuthorizedParty(claims)
        try checkSubject(claims, event)
        try checkTimes(claims)
        try checkHashes(request, claims, algorithm)
        let nonce = try checkNonce(request.nonce, claims, audience)
        return Evidence(
            proof,
            claims,
            issuer: issuer,
            audienceIndex: audience,
            event: event,
            nonceToRedeem: nonce
        )
    }

    func enforces(_ rule: VerifierRule) -> Bool { !core.disabled.contains(rule) }

    mutating func pass(
        _ check: Check.Name,
        expected: @autoclosure () -> Check.Value? = nil,
        seen: @autoclosure () -> Check.Value? = nil
    ) {
        recorder.note(check, .passed, expected: expected(), seen: seen())
    }

    mutating func refuse(
        _ check: Check.Name,
        _ code: RefusalCode,
        _ message: String,
        expected: @autoclosure () -> Check.Value? = nil,
        seen: @autoclosure () -> Check.Value? = nil
    ) -> Stop {
        recorder.note(check, .failed, expected: expected(), seen: seen())
        return .refused(Refusal(code, message))
    }

    // MARK: - Header

    private mutating func checkAlgorithm(_ header: JOSEHeader) throws(Stop) -> Algorithm {
        if let algorithm = header.algorithm, core.algorithms.contains(algorithm) || !enforces(.algorithm) {
            if Recorder.keepsNotes {
                let allowed = core.provider.algorithms.map(\.name)
                pass(.algorithm, expected: .list(allowed), seen: .text(algorithm.name))
            }
            return algorithm
        }
        let allowed = core.provider.algorithms
        let name = header.algorithmName
        throw refuse(
            .algorithm,
            .algorithmNotAllowed,
            "The token is signed with \(Excerpt.quote(name)); \(provider.name) tokens must be signed with "
                + "\(allowed.map(\.name).joined(separator: " or "))\(core.provider.algorithmAdvice).",
            expected: .list(allowed.map(\.name)),
            seen: .text(Excerpt.plain(name))
        )
    }

    private mutating func checkCritical(_ header: JOSEHeader) throws(Stop) {
        if let member = header.criticalMember, enforces(.critical) {
            throw refuse(
                .critical,
                .criticalHeaderUnsupported,
                "The header has \(member.rawValue), which changes how a token is read; no identity token needs it.",
                seen: .text(member.rawValue)
            )
        }
        pass(.critical)
    }

    // MARK: - Claims and issuer

    private mutating func readClaims(_ payload: JSONText) throws(Stop) -> Claims {
        do throws(Refusal) {
            let claims = try Claims(
                payload,
                core.provider.traits,
                notification: isNotification,
                tolerant: !enforces(.claims)
            )
            pass(.claims)
            return claims
        } catch {
            throw refuse(.claims, error.code, error.message)
        }
    }

    /// The canonical issuer.
    private mutating func checkIssuer(_ claims: Claims) throws(Stop) -> String {
        if let canonical = canonicalIssuer(claims) {
            if Recorder.keepsNotes {
                let expected = core.provider.issuers.description
                pass(.issuer, expected: .list(expected), seen: .optional(claims.issuer))
            }
            return canonical
        }
        let seen = claims.issuer
        guard enforces(.issuer) else { return seen ?? "" }
        let expected = core.provider.issuers.description
        throw refuse(
            .issuer,
            .issuerMismatch,
            "The token was issued by \(seen.map(Excerpt.quote) ?? "nobody (iss is missing)"), not by "
                + "\(expected.joined(separator: " or ")); is it meant for another provider?",
            expected: .list(expected),
            seen: .optional(seen)
        )
    }

    private func canonicalIssuer(_ claims: Claims) -> String? {
        for index in core.issuers.indices where claims.issuerEquals(core.issuers[index]) {
            return core.canonicalIssuer
        }
        guard core.isMicrosoft, case .microsoft(let tenant) = core.provider.issuers else { return nil }
        guard let identifier = claims.tenant, tenant.accepts(identifier) else { return nil }
        let expected = MicrosoftTenant.issuer(of: identifier)
        return claims.issuerEquals(expected) ? expected : nil
    }

    // MARK: - Key and signature

    private mutating func chooseKey(
        _ header: JOSEHeader,
        _ algorithm: Algorithm,
        _ claims: Claims,
        _ issuer: String
    ) throws(Stop) -> VerificationKey {
        guard let keys else { throw .keyMissing(header.keyID) }
        let required = core.provider.traits.keyIDRequired && enforces(.keyIDRequired)
        let choice = keys.choose(header, algorithm, keyIDRequired: required, rules: core.disabled.choiceRules) {
            isOfIssuer($0, claims, issuer)
        }
        switch choice {
        case .key(let key):
            try checkKeyIssuer(key, claims, issuer)
            pass(.key, seen: .optional(key.keyID))
            return key
        case .notFound:
            if !keysAreFinal, header.hasKeyID { throw .keyMissing(header.keyID) }
            throw refuse(.key, .keyNotFound, keyNotFoundMessage(header), seen: .optional(header.keyID))
        case .ambiguous:
            throw refuse(
                .key,
                .keyAmbiguous,
                header.hasKeyID
                    ? "Several different keys of the set fit the token; the issuer must name its keys apart by kid."
                    : "The token names no key (kid), and the set holds several; only a set of one key leaves no doubt.",
                seen: .optional(header.keyID)
            )
        case .unusable(let detail):
            throw refuse(
                .key,
                .keyUnusable,
                "The key that the token names must not be used: \(Excerpt.plain(detail)).",
                seen: .optional(header.keyID)
            )
        case .nothingUsable:
            if !keysAreFinal { throw .keyMissing(header.keyID) }
            throw .fault(.keysUnavailable(keys.emptinessMessage))
        }
    }

    private func keyNotFoundMessage(_ header: JOSEHeader) -> String {
        guard let keyID = header.keyID else {
            return "The token names no key (kid), as this provider's must, or the set holds none that it could mean."
        }
        return "The key set has no key \(Excerpt.quote(keyID)): the set is out of date or of another issuer, "
            + "or the token is forged."
    }

    private mutating func checkKeyIssuer(_ key: VerificationKey, _ claims: Claims, _ issuer: String) throws(Stop) {
        guard isOfIssuer(key, claims, issuer) || !enforces(.keyIssuer) else {
            let template = key.issuer ?? ""
            throw refuse(
                .key,
                .keyUnusable,
                "The key that the token names belongs to another issuer, \(Excerpt.quote(template)).",
                expected: .text(Excerpt.plain(template)),
                seen: .text(issuer)
            )
        }
    }

    /// Microsoft's keys may say whose tokens they sign.
    private func isOfIssuer(_ key: VerificationKey, _ claims: Claims, _ issuer: String) -> Bool {
        guard core.isMicrosoft, let template = key.issuer else { return true }
        return MicrosoftTenant.keyIssuer(template, of: claims.tenant ?? "", matches: issuer)
    }

    private mutating func checkSignature(
        _ jws: borrowing UnverifiedJWS,
        _ key: VerificationKey,
        _ algorithm: Algorithm
    ) throws(Stop) -> VerifiedJWS {
        do throws(CryptoError) {
            if let proof = try jws.verified(with: key, algorithm) {
                pass(.signature)
                return proof
            }
            if !enforces(.signature) { return VerifiedJWS(testOnlyUnverified: jws, algorithm) }
        } catch {
            throw .fault(.keysUnavailable("The key could not be used: \(error.reason.rawValue)."))
        }
        throw refuse(
            .signature,
            .signatureInvalid,
            "The signature is not one of the key that the token names: the token was altered, cut short or forged."
        )
    }

    // MARK: - Kind

    private mutating func checkKind(_ header: JOSEHeader, _ claims: Claims) throws(Stop) -> NotificationEvent? {
        let allowed = isNotification ? ["jwt", "secevent+jwt"] : ["jwt"]
        if let type = header.type, enforces(.type), !MediaType.isOne(type, of: allowed) {
            throw refuseKind("its typ is \(Excerpt.quote(type))", seen: "typ \(Excerpt.plain(type))")
        }
        guard isNotification else {
            if claims.events != nil, enforces(.eventsInIdentityToken) {
                throw refuseKind("it has events, as server notifications do", seen: "events")
            }
            pass(.kind)
            return nil
        }
        return try checkNotification(claims)
    }

    private mutating func checkNotification(_ claims: Claims) throws(Stop) -> NotificationEvent? {
        guard provider.traits.sendsNotifications || !enforces(.notifier) else {
            throw refuseKind("\(provider.name) sends none", seen: nil)
        }
        guard let events = claims.events else {
            if !enforces(.eventsInNotification) { return NotificationEvent(testOnlyOf: claims.document.root) }
            throw refuseKind("it has no events", seen: nil)
        }
        if claims.hasNonce, enforces(.nonceInNotification) {
            throw refuseKind("it has a nonce, as identity tokens do", seen: "nonce")
        }
        do throws(Refusal) {
            let event = try NotificationEvent(events)
            pass(.kind, seen: .text(Excerpt.plain(event.type)))
            return event
        } catch {
            throw refuse(.kind, error.code, error.message)
        }
    }

    private mutating func refuseKind(_ reason: String, seen: String?) -> Stop {
        isNotification
            ? refuse(
                .kind,
                .notANotification,
                "The token is no server notification: \(reason).",
                expected: .text("server notification"),
                seen: seen.map { .text($0) }
            )
            : refuse(
                .kind,
                .notAnIdentityToken,
                "The token is no identity token: \(reason).",
                expected: .text("identity token"),
                seen: seen.map { .text($0) }
            )
    }
}

extension Provider {
    fileprivate var algorithmAdvice: String {
        traits.isGeneric ? " unless another one is allowed, which your client must be registered for" : ""
    }
}

extension KeySet {
    fileprivate var emptinessMessage: String {
        guard let first = skipped.first else { return "The key set is empty; check where it comes from." }
        return
            "The key set holds no usable key: all \(skipped.count + unreadCount) members are skipped, the first because of "
            + "\(first.reason) (\(Excerpt.plain(first.detail)))."
    }
}
