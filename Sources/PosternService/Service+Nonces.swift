internal import PosternBase
internal import PosternHTTP
internal import PosternTokens

extension Service {
    /// Seconds after which some of the nonces may have expired.
    private static let retryWhenFull = "10"

    func issueNonce(_ request: ReceivedRequest) throws(Problem) -> Reply {
        var members = MemberReader(try RequestBody.object(request, mayBeEmpty: true), known: ["audience"])
        let given = try members.text("audience")
        try members.finish()
        let audience = try issuedAudience(given)
        let now = time.now()
        let issued: IssuedNonce?
        do throws(VerificationFault) {
            issued = try nonces?.issue(audience: audience)
        } catch {
            throw Problem(.keysUnavailable, error.message, field: ("Retry-After", Self.retryWhenFull))
        }
        guard let issued else {
            throw Problem(
                .noncesFull,
                "So many nonces have been issued and not expired that no more can be, or the clock was set back: try again later.",
                field: ("Retry-After", Self.retryWhenFull)
            )
        }
        metrics.countIssuedNonce()
        var writer = JSONWriter(capacity: 256)
        writer.object { writer in
            writer.member("nonce", issued.nonce)
            writer.member("nonce_sha256", issued.sha256Hex)
            writer.member("expires_in", max(0, issued.expiresAt - now))
            writer.member("expires_at", issued.expiresAt)
        }
        return Reply(status: 201, body: writer.finish())
    }

    /// The audience that a nonce is to be bound to: the one given, or the only one that takes issued nonces.
    private func issuedAudience(_ given: String?) throws(Problem) -> String {
        var taking: [String] = []
        for audience in providers.flatMap(\.provider.audiences)
        where audience.nonce == .issued && !taking.containsBytes(of: audience.clientID) {
            taking.append(audience.clientID)
        }
        if let given {
            guard !taking.containsBytes(of: given) else { return given }
            throw Problem(
                .audienceUnknown, "No audience \(Excerpt.word(given)) with the nonce rule issued is in the settings.")
        }
        guard let only = taking.first else {
            throw Problem(.audienceUnknown, "No audience of the settings has the nonce rule issued.")
        }
        guard taking.count == 1 else {
            throw Problem(.audienceNeeded, "Several audiences have the nonce rule issued: name one as audience.")
        }
        return only
    }
}
