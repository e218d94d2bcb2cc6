import PosternBase
import PosternJOSE
import PosternTokens

/// Whole verification. The first byte chooses what the rest is: a token as it would arrive, or the parts of one on lines of
/// their own (header, claims, nonce, code, access token), so that changing a byte of the claims is one step.
enum TokenTarget {
    static func run(_ input: Input) {
        guard let first = input.first else { return }
        let fixture = TokenFixture.shared
        let rest = UnsafeBufferPointer(rebasing: input[1...])
        switch first & 7 {
        case 0: RawToken.check(rest, fixture)
        case 1: TokenParts(rest).check(fixture.signed, signer: fixture.signer)
        case 2, 3, 4, 5: TokenParts(rest).check(fixture.others[Int(first & 7) - 2], signer: nil)
        case 6: TokenParts(rest).check(fixture.apple, signer: nil)
        default: TokenParts(rest).checkNotification(fixture.apple)
        }
    }
}

/// Bytes as they would arrive.
enum RawToken {
    static func check(_ token: Input, _ fixture: TokenFixture) {
        checkForm(token)
        for rules in [fixture.apple, fixture.signed] {
            // One good token is known and no private key is here, so whatever else is accepted is forged.
            let identity = try? rules.strict.identityNow(token, nonce: TokenFixture.nonce)
            let isGood = rules.issuers == fixture.apple.issuers && token.elementsEqual(fixture.goodToken)
            require((identity != nil) == isGood, "token: a forged token was accepted or the good one refused")
            require((try? rules.strict.notificationNow(token)) == nil, "token: a forged notification was accepted")
        }
    }

    /// The segments say what the token says, and each has no other text.
    private static func checkForm(_ token: Input) {
        let segments = token.split(separator: 0x2E, omittingEmptySubsequences: false)
        try? UnverifiedJWS.withParsed(token, maximumSize: .max) { jws in
            require(segments.count == 3, "token: another number of segments")
            require(Base64URL.encode(jws.payload.bytes).utf8.elementsEqual(segments[1]), "token: another payload")
            let header = jws.header.document.root
            require(header["alg"]?.stringEquals(jws.header.algorithmName) ?? false, "token: another alg")
            require((header["kid"] != nil) == jws.header.hasKeyID, "token: another kid")
            if let keyID = jws.header.keyID { require(jws.header.keyIDEquals(keyID), "token: a kid is not itself") }
        }
    }
}

/// A token that is put together from its parts.
private struct TokenParts {
    private let header: [UInt8]
    private let claims: [UInt8]
    private let nonce: String?
    private let code: String?
    private let accessToken: String?

    init(_ text: Input) {
        let lines = text.split(separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
        func line(_ number: Int) -> Input.SubSequence? { number < lines.count ? lines[number] : nil }
        header = line(0).map { Array($0) } ?? []
        claims = line(1).map { Array($0) } ?? []
        nonce = line(2).map { String(decoding: $0, as: UTF8.self) }
        code = line(3).map { String(decoding: $0, as: UTF8.self) }
        accessToken = line(4).map { String(decoding: $0, as: UTF8.self) }
    }

    func check(_ rules: TokenFixture.Rules, signer: SigningKey?) {
        if let nonce { checkIssued(nonce) }
        // A signature takes longer than all the rest, so none is made before it matters.
        let unsigned = token(signature: [])
        requireRefused(unsigned, rules, "token: accepted without a signature")
        guard let identity = identity(unsigned, rules.unsigned) else { return }
        requireRules(of: identity, rules)
        guard let signer, let token = try? signer.sign(header: header, payload: claims) else { return }
        let signed = Array(token.utf8)
        require(self.identity(signed, rules.strict) != nil, "token: the signature makes a good token bad")
        requireRefused(altered(signed), rules, "token: accepted after a change")
    }

    func checkNotification(_ rules: TokenFixture.Rules) {
        token(signature: []).withUnsafeBufferPointer { token in
            require((try? rules.strict.notificationNow(token)) == nil, "token: a notification without a signature")
            let notification = try? rules.unsigned.notificationNow(token)
            let verdict = try? rules.unsigned.notificationVerdictNow(token)
            requireStrictJSON(verdict?.json)
            guard let notification else { return }
            require(notification.claims["events"] != nil, "token: a notification without events")
            require(notification.claims["nonce"] == nil, "token: a notification with a nonce")
            require((try? rules.unsigned.identityNow(token, nonce: nonce)) == nil, "token: a notification signs in")
        }
    }

    // MARK: - Answers

    /// The identity, when the short way and the way that explains agree on it.
    private func identity(_ token: [UInt8], _ verifier: TokenVerifier) -> VerifiedIdentity? {
        token.withUnsafeBufferPointer { token in
            let verdict = try? verifier.verdictNow(token, nonce: nonce, code: code, accessToken: accessToken)
            requireStrictJSON(verdict?.json)
            do throws(VerificationError) {
                let identity = try verifier.identityNow(token, nonce: nonce, code: code, accessToken: accessToken)
                require(verdict?.identity != nil, "token: accepted, but not with an explanation")
                return identity
            } catch {
                if case .refused(let refusal) = error {
                    require(verdict?.refusal == refusal, "token: refused, but the explanation is another")
                }
                require(verdict?.identity == nil, "token: refused, but accepted with an explanation")
                return nil
            }
        }
    }

    private func requireRefused(_ token: [UInt8], _ rules: TokenFixture.Rules, _ finding: String) {
        let identity = token.withUnsafeBufferPointer {
            try? rules.strict.identityNow($0, nonce: nonce, code: code, accessToken: accessToken)
        }
        require(identity == nil, finding)
    }

    /// The rules once more, as plainly as they can be said.
    private func requireRules(of identity: VerifiedIdentity, _ rules: TokenFixture.Rules) {
        let claims = identity.claims
        require(rules.issuers.contains { claims["iss"]?.stringEquals($0) ?? false }, "token: another issuer")
        let ours = identity.provider == "firebase" ? ["com.example.app"] : TokenFixture.audiences.map(\.clientID)
        let audiences = claims["aud"]?.elements ?? claims["aud"].map { [$0] } ?? []
        require(
            !audiences.isEmpty && audiences.allSatisfy { value in ours.contains { value.stringEquals($0) } },
            "token: another audience"
        )
        require((1...255).contains(identity.subject.bytes.count), "token: a subject of a wrong length")
        require(identity.expiresAt > TokenFixture.now - 61, "token: expired")
        require(identity.issuedAt < TokenFixture.now + 61, "token: of the future")
        require(claims["events"] == nil, "token: a notification signs in")
        require((claims["c_hash"]?.string != nil) || code == nil, "token: nothing binds the code")
        require((claims["at_hash"]?.string != nil) || accessToken == nil, "token: nothing binds the access token")
        if identity.audience.utf8.elementsEqual("com.example.app".utf8), identity.provider != "firebase" {
            let hash = Nonce.sha256Hex(of: nonce ?? "")
            require(nonce != nil && claims["nonce"]?.stringEquals(hash) ?? false, "token: another nonce")
        }
    }

    private func checkIssued(_ nonce: String) {
        let fixture = TokenFixture.shared
        let audience = TokenFixture.audiences[0].clientID
        let isKnown = fixture.nonces.recognises(nonce, audience: audience, now: TokenFixture.now)
        require(isKnown == nonce.utf8.elementsEqual(fixture.issuedNonce.utf8), "token: a forged nonce was recognised")
    }

    private func requireStrictJSON(_ json: JSONOutput?) {
        guard let json else { return }
        require((try? JSONDocument(json.text())) != nil, "token: the answer is not JSON")
    }

    // MARK: - Text

    private func token(signature: [UInt8]) -> [UInt8] {
        [header, claims, signature].map { Array(Base64URL.encode($0).utf8) }.joined(separator: [0x2E]).map { $0 }
    }

    /// The token with one byte changed, which one depending on the token.
    private func altered(_ token: [UInt8]) -> [UInt8] {
        var token = token
        let sum = token.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
        token[Int(sum >> 8) % token.count] ^= 1 << UInt8(sum & 7)
        return token
    }
}
