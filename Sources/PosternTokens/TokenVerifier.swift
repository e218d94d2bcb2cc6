public import PosternBase
internal import PosternJOSE

/// Verifies the identity tokens of one provider (OpenID Connect Core §3.1.3.7, RFC 7519 §7.2).
///
/// Nothing that it has seen changes what it decides: copy it, share it, call it from any task. While the key of a token is at hand nothing
/// waits; only a missing key makes a call wait for its source.
public struct TokenVerifier: Sendable {
    /// What one run over a token found.
    private struct Attempt<Recorder: CheckRecorder>: ~Copyable {
        let judged: Judged
        let recorder: Recorder
    }

    /// What came of a token after all checks.
    private struct Decision<Recorder: CheckRecorder>: ~Copyable {
        let result: Result<Evidence, VerificationError>
        let recorder: Recorder
    }

    /// What is to become of an issued nonce that fits.
    private enum NonceStep {
        case redeem(consume: Bool)
        /// It is known already: nil when it is used up now, or the refusal.
        case settled(Refusal?)
        /// Somebody else uses it up.
        case leave
    }

    private let core: Core

    /// Whose tokens it verifies, and what it demands of them.
    public var provider: Provider { core.provider }

    /// The largest token that is read, in bytes.
    public static let maximumTokenSize = UnverifiedJWS.defaultMaximumSize

    /// Throws `ConfigurationError` when an audience has the rule `.issued` and `issuedNonces` is nil, or when the keys are
    /// those of another provider (`KeySource.objection(to:)`).
    public init(
        _ provider: Provider,
        keys: any KeySource,
        issuedNonces: IssuedNonces? = nil,
        time: TimeSource = .system
    ) throws(ConfigurationError) {
        try self.init(provider, keys: keys, issuedNonces: issuedNonces, time: time, testOnlyDisabled: [])
    }

    /// With rules left out, for the test that shows that each is needed.
    package init(
        _ provider: Provider,
        keys: any KeySource,
        issuedNonces: IssuedNonces? = nil,
        time: TimeSource = .system,
        testOnlyDisabled disabled: [VerifierRule]
    ) throws(ConfigurationError) {
        guard issuedNonces != nil || !provider.audiences.contains(where: { $0.nonce == .issued }) else {
            throw ConfigurationError("An audience of \(provider.name) takes issued nonces, but nothing issues them.")
        }
        if let objection = keys.objection(to: provider) { throw ConfigurationError(objection) }
        core = Core(provider, keys, time, issuedNonces, VerifierRules(disabled))
    }

    // MARK: - Judging

    /// One run over the token with the keys given.
    private func judge<Recorder: CheckRecorder>(
        _ token: UnsafeBufferPointer<UInt8>,
        _ request: borrowing VerificationRequest,
        _ keySet: KeySet?,
        final: Bool,
        _ recorder: inout Recorder
    ) -> Judged {
        var judgement = Judgement(
            core: core,
            audience: request.audience,
            isNotification: request.isNotification,
            keys: keySet,
            keysAreFinal: final,
            now: core.time.now(),
            recorder: recorder
        )
        defer { recorder = judgement.recorder }
        var result = Judged.stopped(.keyMissing(nil))
        do throws(JWSFault) {
            try UnverifiedJWS.withParsed(
                token,
                maximumSize: Self.maximumTokenSize,
                rules: core.disabled.readerRules,
                headers: core.headers
            ) { jws in
                judgement.pass(
                    .size,
                    expected: .number(Int64(Self.maximumTokenSize)),
                    seen: .number(Int64(token.count))
                )
                judgement.pass(.form)
                judgement.pass(.header)
                do throws(Stop) {
                    result = .passed(try judgement.judge(jws, request))
                } catch {
                    result = .stopped(error)
                }
            }
        } catch {
            result = .stopped(judgement.refuse(error, size: token.count))
        }
        return result
    }

    /// The same over a text, apart from what waits: Thread Sanitizer of Swift 6.3 cannot take changes in place there.
    private func judge<Recorder: CheckRecorder>(
        _ token: String,
        _ request: borrowing VerificationRequest,
        _ keySet: KeySet?,
        final: Bool,
        _ recorder: Recorder
    ) -> Attempt<Recorder> {
        var token = token
        var recorder = recorder
        var judged = Judged.stopped(.keyMissing(nil))
        token.withUTF8 { judged = judge($0, request, keySet, final: final, &recorder) }
        return Attempt(judged: judged, recorder: recorder)
    }

    /// Judges, waits for a key that is missing, judges again, redeems an issued nonce.
    ///
    /// The recorder goes in and comes back as a value, and an error is one too, so that the checks come with it.
    private func decide<Recorder: CheckRecorder>(
        _ token: String,
        _ request: borrowing VerificationRequest,
        _ recorder: Recorder
    ) async -> Decision<Recorder> {
        let first = judge(token, request, core.keys.current(), final: false, recorder)
        guard case .keyMissing(let keyID) = first.judged.stop else {
            return await settle(first, consumesNonce: request.consumesNonce)
        }
        let keySet: KeySet
        do throws(VerificationFault) {
            keySet = try await core.keys.keySet(missing: keyID)
        } catch {
            return Decision(result: .failure(.fault(error)), recorder: recorder)
        }
        return await settle(
            judge(token, request, keySet, final: true, recorder),
            consumesNonce: request.consumesNonce
        )
    }

    /// `conclude` for what may wait: for the store that remembers nonces, where there is one.
    private func settle<Recorder: CheckRecorder>(
        _ attempt: consuming Attempt<Recorder>,
        consumesNonce: Bool
    ) async -> Decision<Recorder> {
        guard let issuedNonces = core.issuedNonces, issuedNonces.isStored, let nonce = attempt.judged.nonceToRedeem
        else {
            return conclude(attempt, .redeem(consume: consumesNonce))
        }
        do throws(VerificationFault) {
            let refusal = try await issuedNonces.redeemed(nonce, now: core.time.now(), consume: consumesNonce)
            return conclude(attempt, .settled(refusal))
        } catch {
            return Decision(result: .failure(.fault(error)), recorder: attempt.recorder)
        }
    }

    /// `finish` with values only, for what waits and for who wants the checks of a refusal.
    private func conclude<Recorder: CheckRecorder>(
        _ attempt: consuming Attempt<Recorder>,
        _ step: NonceStep
    ) -> Decision<Recorder> {
        var recorder = attempt.recorder
        do throws(VerificationError) {
            let evidence = try finish(attempt.judged, step, &recorder)
            return Decision(result: .success(evidence), recorder: recorder)
        } catch {
            return Decision(result: .failure(error), recorder: recorder)
        }
    }

    private func finish<Recorder: CheckRecorder>(
        _ result: consuming Judged,
        _ step: NonceStep,
        _ recorder: inout Recorder
    ) throws(VerificationError) -> Evidence {
        switch consume result {
        case .passed(let evidence):
            try redeem(evidence, step, &recorder)
            return evidence
        case .stopped(.refused(let refusal)): throw .refused(refusal)
        case .stopped(.fault(let fault)): throw .fault(fault)
        case .stopped(.keyMissing): throw .fault(.keysUnavailable("The keys of \(provider.name) are not to be had."))
        }
    }

    private func redeem<Recorder: CheckRecorder>(
        _ evidence: borrowing Evidence,
        _ step: NonceStep,
        _ recorder: inout Recorder
    ) throws(VerificationError) {
        guard let nonce = evidence.nonceToRedeem, let issuedNonces = core.issuedNonces else { return }
        let refusal: Refusal?
        switch step {
        case .leave: return
        case .settled(let found): refusal = found
        case .redeem(let consumes):
            do throws(VerificationFault) {
                refusal = try issuedNonces.redeem(nonce, now: core.time.now(), consume: consumes)
            } catch {
                throw .fault(error)
            }
        }
        guard let refusal else {
            recorder.note(.nonce, nonce.isCompared ? .passed : .skipped, expected: nil, seen: nil)
            return
        }
        recorder.note(.nonce, .failed, expected: nil, seen: nil)
        throw .refused(refusal)
    }

    // MARK: - For the rooms above

    /// Verifies an identity token that is at hand as bytes; nil when its key is not at hand, and nothing has happened then.
    package func identityAtOnce(
        _ token: UnsafeBufferPointer<UInt8>,
        _ request: borrowing VerificationRequest
    ) throws(VerificationError) -> VerifiedIdentity? {
        var recorder = NoRecorder()
        let result = judge(token, request, core.keys.current(), final: false, &recorder)
        if case .keyMissing = result.stop { return nil }
        if result.nonceToRedeem != nil, core.issuedNonces?.isStored == true { return nil }
        return VerifiedIdentity(try finish(result, .redeem(consume: request.consumesNonce), &recorder), core)
    }

    /// Verifies an identity token, or throws why not.
    package func identity(
        _ token: String,
        _ request: borrowing VerificationRequest
    ) async throws(VerificationError) -> VerifiedIdentity {
        let decision = await decide(token, request, NoRecorder())
        return VerifiedIdentity(try decision.result.get(), core)
    }

    /// Verifies an identity token and lists every check.
    package func verdict(
        _ token: String,
        _ request: borrowing VerificationRequest
    ) async throws(VerificationFault) -> Verdict {
        try verdict(await decide(token, request, ListRecorder()))
    }

    /// Verifies an identity token without using anything up, for who gives something for it.
    package func exchangeable(
        _ token: String,
        _ request: borrowing VerificationRequest
    ) async throws(VerificationError) -> ExchangeableToken {
        var attempt = judge(token, request, core.keys.current(), final: false, NoRecorder())
        if case .keyMissing(let keyID) = attempt.judged.stop {
            let keySet: KeySet
            do throws(VerificationFault) {
                keySet = try await core.keys.keySet(missing: keyID)
            } catch {
                throw .fault(error)
            }
            attempt = judge(token, request, keySet, final: true, NoRecorder())
        }
        return try exchangeable(token, attempt)
    }

    private func exchangeable(
        _ token: String,
        _ attempt: consuming Attempt<NoRecorder>
    ) throws(VerificationError) -> ExchangeableToken {
        var recorder = NoRecorder()
        let evidence = try finish(attempt.judged, .leave, &recorder)
        do throws(VerificationFault) {
            let nonce: RedeemableNonce? =
                if let nonce = evidence.nonceToRedeem { try IssuedNonces.redeemable(nonce) } else { nil }
            let name = try Nonce.digest(of: "\(evidence.issuer)\n\(Self.signingInput(of: token))")
            return ExchangeableToken(identity: VerifiedIdentity(evidence, core), nonce: nonce, name: name)
        } catch {
            throw .fault(error)
        }
    }

    /// All before the last dot: what the signature is over (RFC 7515 §5.1).
    private static func signingInput(of token: String) -> Substring {
        token[..<(token.utf8.lastIndex(of: 0x2E) ?? token.startIndex)]
    }

    func notification(_ token: String, audience: String?) async throws(VerificationError) -> VerifiedNotification {
        let request = VerificationRequest(audience: audience, isNotification: true)
        let decision = await decide(token, request, NoRecorder())
        return try notification(try decision.result.get())
    }

    func notificationVerdict(
        _ token: String,
        audience: String?
    ) async throws(VerificationFault) -> NotificationVerdict {
        let request = VerificationRequest(audience: audience, isNotification: true)
        return try notificationVerdict(await decide(token, request, ListRecorder()))
    }

    /// Verifies an identity token that is at hand as bytes with the keys that are at hand, without waiting.
    package func identityNow(
        _ token: UnsafeBufferPointer<UInt8>,
        nonce: String?,
        audience: String? = nil,
        code: String? = nil,
        accessToken: String? = nil
    ) throws(VerificationError) -> VerifiedIdentity {
        var recorder = NoRecorder()
        let request = VerificationRequest(nonce: nonce, audience: audience, code: code, accessToken: accessToken)
        let result = judge(token, request, core.keys.current(), final: true, &recorder)
        return VerifiedIdentity(try finish(result, .redeem(consume: true), &recorder), core)
    }

    /// Verifies a notification that is at hand as bytes with the keys that are at hand, without waiting.
    package func notificationNow(
        _ token: UnsafeBufferPointer<UInt8>,
        audience: String? = nil
    ) throws(VerificationError) -> VerifiedNotification {
        var recorder = NoRecorder()
        let request = VerificationRequest(audience: audience, isNotification: true)
        let result = judge(token, request, core.keys.current(), final: true, &recorder)
        return try notification(try finish(result, .redeem(consume: true), &recorder))
    }

    private func notification(_ evidence: consuming Evidence) throws(VerificationError) -> VerifiedNotification {
        guard let event = evidence.event else { throw .refused(.noEvent) }
        return VerifiedNotification(evidence, event, core)
    }

    /// Like `identityNow`, but answers with every check that was made.
    package func verdictNow(
        _ token: UnsafeBufferPointer<UInt8>,
        nonce: String?,
        audience: String? = nil,
        code: String? = nil,
        accessToken: String? = nil
    ) throws(VerificationFault) -> Verdict {
        var recorder = ListRecorder()
        let request = VerificationRequest(nonce: nonce, audience: audience, code: code, accessToken: accessToken)
        let result = judge(token, request, core.keys.current(), final: true, &recorder)
        return try verdict(conclude(Attempt(judged: result, recorder: recorder), .redeem(consume: true)))
    }

    /// Like `notificationNow`, but answers with every check that was made.
    package func notificationVerdictNow(
        _ token: UnsafeBufferPointer<UInt8>
    ) throws(VerificationFault) -> NotificationVerdict {
        var recorder = ListRecorder()
        let request = VerificationRequest(isNotification: true)
        let result = judge(token, request, core.keys.current(), final: true, &recorder)
        return try notificationVerdict(conclude(Attempt(judged: result, recorder: recorder), .redeem(consume: true)))
    }

    // MARK: - Verdicts

    private func verdict(_ decision: consuming Decision<ListRecorder>) throws(VerificationFault) -> Verdict {
        let checks = decision.recorder.completed
        switch consume decision.result {
        case .success(let evidence):
            return Verdict(outcome: .accepted(VerifiedIdentity(evidence, core)), checks: checks)
        case .failure(let error):
            return Verdict(outcome: .refused(try error.refusal()), checks: checks)
        }
    }

    private func notificationVerdict(
        _ decision: consuming Decision<ListRecorder>
    ) throws(VerificationFault) -> NotificationVerdict {
        let checks = decision.recorder.completed
        let outcome: NotificationVerdict.Outcome
        switch consume decision.result {
        case .success(let evidence):
            if let event = evidence.event {
                outcome = .accepted(VerifiedNotification(evidence, event, core))
            } else {
                outcome = .refused(.noEvent)
            }
        case .failure(let error):
            outcome = .refused(try error.refusal())
        }
        return NotificationVerdict(outcome: outcome, checks: checks)
    }
}

extension Refusal {
    /// A notification without event is refused before this; it keeps the compiler and us honest.
    fileprivate static let noEvent = Refusal(
        .notANotification,
        "The token is no server notification: it has no events."
    )
}
