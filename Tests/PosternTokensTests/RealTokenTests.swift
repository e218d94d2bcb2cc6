import Foundation
import PosternBase
import PosternJOSE
import PosternTestSupport
import PosternTokens
import Testing

/// Real, long expired tokens of Apple and other issuers, with their keys.
private struct RealToken: Decodable, CustomTestStringConvertible {
    let token: String
    let iss: String
    let verifies: Bool
    let aud: String
    let iat: Int64
    let exp: Int64
    let kind: String

    var testDescription: String { "\(kind) of \(iss), \(iat)" }

    var isNotification: Bool { kind == "server-notification" }
    var isIdentity: Bool { kind == "identity-token" }
}

private func realTokens() -> [RealToken] {
    struct File: Decodable { let tokens: [RealToken] }
    guard let data = try? TestPaths.extra("real/tokens.json") else { return [] }
    return (try? JSONDecoder().decode(File.self, from: data).tokens) ?? []
}

extension RealToken {
    func provider(audience: String? = nil, nonce: NonceRule = .unchecked) throws -> Provider {
        let audiences = [Audience(audience ?? aud, nonce: nonce)]
        if iss == "https://appleid.apple.com" { return try .apple(audiences: audiences) }
        if iss.hasPrefix("https://login.microsoftonline.com/") {
            return try .microsoft(tenant: .common, audiences: audiences, maximumAge: nil)
        }
        return try .oidc(issuer: iss, audiences: audiences)
    }

    func verifier(_ provider: Provider, at time: Int64) throws -> TokenVerifier {
        let file = iss == "https://appleid.apple.com" ? "real/apple-keys.json" : "real/other-keys.json"
        let keys = try KeySet(Array(TestPaths.extra(file)))
        return try TokenVerifier(provider, keys: StaticKeySource(keys), time: .fixed(time))
    }

    /// The refusal code of the token, or "accepted".
    func outcome(
        _ provider: Provider,
        of token: String? = nil,
        at time: Int64,
        nonce: String? = nil
    ) async throws -> String {
        let verifier = try verifier(provider, at: time)
        let token = token ?? self.token
        if isNotification {
            switch try await verifier.checkNotification(token).outcome {
            case .accepted: return "accepted"
            case .refused(let refusal): return refusal.code.rawValue
            }
        }
        let verdict =
            if let nonce {
                try await verifier.check(token, nonce: nonce)
            } else {
                try await verifier.check(token, nonce: .unchecked)
            }
        return verdict.refusal?.code.rawValue ?? "accepted"
    }
}

@Suite(.enabled(if: TestPaths.hasExtraVectors, "POSTERN_EXTRA_VECTORS is not set"))
struct RealTokenTests {
    @Test func thereAreRealTokens() {
        #expect(realTokens().filter(\.verifies).count >= 16)
        #expect(realTokens().filter(\.isNotification).count >= 3)
    }

    @Test(arguments: realTokens())
    fileprivate func isAcceptedAsWhatItIs(_ real: RealToken) async throws {
        let outcome = try await real.outcome(real.provider(), at: real.iat + 1)
        switch (real.verifies, real.kind) {
        case (false, _): #expect(outcome == "key_not_found")
        case (true, "access-token"): #expect(outcome == "authorized_party_mismatch")
        case (true, _): #expect(outcome == "accepted")
        }
    }

    @Test(arguments: realTokens().filter(\.verifies))
    fileprivate func isRefusedWithABitFlipped(_ real: RealToken) async throws {
        var segments = real.token.split(separator: ".").map(String.init)
        var signature = try #require(Base64URL.decode(segments[2]))
        signature[signature.count / 2] ^= 0x10
        let forged = "\(segments[0]).\(segments[1]).\(Base64URL.encode(signature))"
        #expect(try await real.outcome(real.provider(), of: forged, at: real.iat + 1) == "signature_invalid")

        // Inside a string of the payload: the subject, or a notification's type.
        let payload = try #require(Base64URL.decode(segments[1]))
        let text = String(decoding: payload, as: UTF8.self)
        let mark = real.isNotification ? "\"jti\":\"" : "\"sub\":\""
        var bytes = Array(text.utf8)
        let place = try #require(text.range(of: mark)).upperBound.utf16Offset(in: text)
        bytes[place] ^= 0x01
        segments[1] = Base64URL.encode(bytes)
        let altered = segments.joined(separator: ".")
        #expect(try await real.outcome(real.provider(), of: altered, at: real.iat + 1) == "signature_invalid")
    }

    @Test(arguments: realTokens().filter(\.verifies))
    fileprivate func isRefusedForAnotherAudience(_ real: RealToken) async throws {
        let other = try real.provider(audience: "com.example.other")
        #expect(try await real.outcome(other, at: real.iat + 1) == "audience_mismatch")
    }

    @Test(arguments: realTokens().filter { $0.verifies && $0.kind != "access-token" })
    fileprivate func isRefusedPastItsExpiry(_ real: RealToken) async throws {
        let provider = try real.provider().replacing(maximumAge: nil)
        #expect(try await real.outcome(provider, at: real.exp + provider.leeway) == "token_expired")
        let before = try await real.outcome(provider, at: real.exp + provider.leeway - 1)
        #expect(before == "accepted")
    }

    @Test(arguments: realTokens().filter { $0.verifies && $0.isIdentity })
    fileprivate func isRefusedWithoutTheNonceThatIsDemanded(_ real: RealToken) async throws {
        let hasNonce = String(
            decoding: Base64URL.decode(String(real.token.split(separator: ".")[1])) ?? [], as: UTF8.self
        )
        .contains("\"nonce\":")
        let provider = try real.provider(nonce: .hashed)
        let outcome = try await real.outcome(provider, at: real.iat + 1, nonce: "another nonce")
        #expect(outcome == (hasNonce ? "nonce_mismatch" : "nonce_missing"))
    }

    @Test(arguments: realTokens().filter { $0.verifies && $0.iss == "https://appleid.apple.com" })
    fileprivate func isNeverTakenForTheOtherKind(_ real: RealToken) async throws {
        let verifier = try real.verifier(real.provider(), at: real.iat + 1)
        if real.isNotification {
            let verdict = try await verifier.check(real.token, nonce: .unchecked)
            #expect(verdict.refusal?.code == .notAnIdentityToken)
        } else {
            #expect(try await verifier.checkNotification(real.token).refusal?.code == .notANotification)
        }
    }

    @Test func notificationsAreRead() async throws {
        for real in realTokens() where real.isNotification {
            let verifier = try real.verifier(real.provider(), at: real.iat + 1)
            let notification = try await verifier.verifyNotification(real.token)
            #expect(notification.kind == .consentRevoked)
            #expect(notification.subject?.bytes.isEmpty == false)
            // Apple sends milliseconds; the event is seconds before the notification.
            let eventTime = try #require(notification.eventTime)
            #expect((real.iat - 60...real.iat).contains(eventTime))
        }
    }
}

/// Real pairs of nonces, codes and access tokens with the claims that vouch for them.
@Suite(.enabled(if: TestPaths.hasExtraVectors, "POSTERN_EXTRA_VECTORS is not set"))
struct RealHashClaimTests {
    private struct Pair: Decodable {
        let kind: String
        let raw: String?
        let code: String?
        let accessToken: String?
        let claim: String

        enum CodingKeys: String, CodingKey {
            case kind, raw, code, claim
            case accessToken = "access_token"
        }
    }

    @Test func pairsHold() async throws {
        let pairs = try JSONDecoder().decode([Pair].self, from: TestPaths.extra("real/hash-claims.json"))
        #expect(pairs.count == 10)
        let verifier = try TokenVerifier.test([Audience(TestToken.clientID, nonce: .unchecked)])
        for pair in pairs {
            switch pair.kind {
            case "nonce":
                #expect(Nonce.sha256Hex(of: try #require(pair.raw)) == pair.claim)
            case "c_hash":
                let code: String = try #require(pair.code)
                let token = try TestToken().with("c_hash", .string(pair.claim)).signed()
                _ = try await verifier.verify(token, nonce: .unchecked, code: code)
                let other = try await verifier.check(token, nonce: .unchecked, code: "another code")
                #expect(other.refusal?.code == .hashMismatch)
            default:
                let token = try TestToken().with("at_hash", .string(pair.claim)).signed()
                let accessToken: String = try #require(pair.accessToken)
                _ = try await verifier.verify(token, nonce: .unchecked, accessToken: accessToken)
                let other = try await verifier.check(token, nonce: .unchecked, accessToken: accessToken + "x")
                #expect(other.refusal?.code == .hashMismatch)
            }
        }
    }
}
