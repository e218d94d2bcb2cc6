import PosternBase
import PosternHTTP
import PosternKeySets
import PosternTokens
import Testing

@testable import PosternIssuer

/// What the verifier, with keys that it fetches from there, makes of each fault.
@Suite struct FaultTests {
    static func verifier(_ standIn: StandIn, nonce: NonceRule = .hashed, later: Int64 = 0) throws -> TokenVerifier {
        let provider = try Provider.oidc(issuer: StandIn.url, audiences: [Audience(StandIn.clientID, nonce: nonce)])
        let keys = try RemoteKeySource(
            provider, client: StandInClient(standIn: standIn), allowsInsecureLoopback: true, clock: .standstill)
        let now = standIn.now
        return try TokenVerifier(provider, keys: keys, time: TimeSource { now.withLock { $0 } + later })
    }

    enum Outcome: Equatable {
        case accepted
        case refused(RefusalCode)
        /// The code of the fault, and that of why there are no keys.
        case fault(String)
    }

    static func outcome(_ verifier: TokenVerifier, _ token: String) async -> Outcome {
        do throws(VerificationError) {
            _ = try await verifier.verify(token, nonce: "raw")
            return .accepted
        } catch {
            switch error {
            case .refused(let refusal): return .refused(refusal.code)
            case .fault(let fault):
                let reason = fault.message.firstMatch(of: /\(([a-z_]+)\):/)?.1
                return .fault("\(fault.code) \(reason ?? "")")
            }
        }
    }

    /// `later` is how long after its issue the token is shown.
    private static let cases: [(fault: IssuerFault?, later: Int64, outcome: Outcome)] = [
        (nil, 0, .accepted), (nil, 659, .accepted), (nil, 660, .refused(.tokenExpired)),
        // How long to wait is for the client to say: the daemon's tests have a real one.
        (.slow, 0, .accepted), (.serverError, 0, .fault("keys_unavailable bad_status")),
        (.emptySet, 0, .fault("keys_unavailable no_usable_key")),
        (.wrongDiscovery, 0, .fault("keys_unavailable bad_discovery")), (.rotatedKey, 0, .refused(.keyNotFound)),
        (.wrongIssuer, 0, .refused(.issuerMismatch)), (.dayTokens, 0, .accepted), (.dayTokens, 3660, .accepted),
        (.dayTokens, 3661, .refused(.tokenTooOld)), (.stringBooleans, 0, .accepted), (.noEmail, 0, .accepted),
        (.futureIssue, 0, .refused(.issuedInFuture)), (.futureIssue, 3540, .accepted),
    ]

    @Test(arguments: cases.indices)
    func whatComesOfEach(_ index: Int) async throws {
        let (fault, later, expected) = Self.cases[index]
        let standIn = try StandIn(faults: fault.map { [$0] } ?? [])
        let token = await standIn.post(json: #"{"nonce":"raw"}"#, "/mint").text
        #expect(try await Self.outcome(Self.verifier(standIn, later: later), String(token)) == expected)
        #expect(standIn.waited.withLock { $0 } == (fault == .slow ? .seconds(14) : .zero))
    }

    @Test func everyFaultIsTried() {
        #expect(Set(Self.cases.compactMap(\.fault)) == Set(IssuerFault.allCases))
    }

    @Test func whatTheTokensSay() async throws {
        let standIn = try StandIn(faults: [.stringBooleans])
        func claims(_ body: String = #"{"nonce":"raw"}"#) async throws -> JSONValue {
            let token = await standIn.post(json: body, "/mint").text
            let parts = token.split(separator: ".")
            return try JSONDocument(Base64URL.decode(Array((parts.dropFirst().first ?? "").utf8)) ?? []).root
        }
        var seen = try await claims()
        #expect(seen["email_verified"]?.string == "true" && seen["is_private_email"]?.string == "false")
        #expect(seen["nonce_supported"]?.string == "true")
        let token = await standIn.post(json: #"{"nonce":"raw","user":"relay"}"#, "/mint").text
        let identity = try await Self.verifier(standIn).verify(String(token), nonce: "raw")
        #expect(identity.isEmailVerified && identity.isPrivateRelay)
        _ = await standIn.post(json: #"{"faults":["no_email","day_tokens","string_booleans"]}"#, "/control/faults")
        seen = try await claims()
        for name in ["email", "email_verified", "is_private_email"] { #expect(seen[name] == nil) }
        #expect(seen["exp"]?.integer == StandIn.start + 86_400)
        // Who asks for a claim gets it.
        seen = try await claims(#"{"expires_in":5,"claims":{"email":"x"}}"#)
        #expect(seen["exp"]?.integer == StandIn.start + 5)
        #expect(seen["email"]?.string == "x")
    }

    /// Faults come and go while it runs; the tokens of a sign-in have them too.
    @Test func faultsAreTurnedOnAndOff() async throws {
        let standIn = try StandIn()
        let on = await standIn.post(json: #"{"faults":["future_iat","slow"],"slow_seconds":3}"#, "/control/faults")
        #expect(on.json?["faults"]?.elements?.compactMap(\.string) == ["slow", "future_iat"])
        #expect(on.json?["slow_seconds"]?.integer == 3)
        let token = try #require(await standIn.signIn().input("id_token"))
        #expect(await standIn.get("/auth/keys").status == 200)
        #expect(standIn.waited.withLock { $0 } == .seconds(3))
        let verifier = try Self.verifier(standIn, nonce: .plain)
        #expect(await Self.outcome(verifier, token) == .refused(.issuedInFuture))
        #expect(await standIn.get("/auth/authorize", query: StandIn.request).text.contains("slow, future_iat"))
        _ = await standIn.post(json: #"{"faults":[]}"#, "/control/faults")
        #expect(!(await standIn.get("/auth/authorize", query: StandIn.request).text.contains("Faults")))
        let good = try #require(await standIn.signIn().input("id_token"))
        #expect(try await verifier.verify(good, nonce: "the nonce").issuedAt == StandIn.start)
    }

    @Test(arguments: [
        ("{}", "member_missing"), (#"{"faults":"slow"}"#, "member_invalid"), (#"{"faults":[1]}"#, "member_invalid"),
        (#"{"faults":["SLOW"]}"#, "member_invalid"), (#"{"faults":[],"x":1}"#, "member_unknown"),
        ("[]", "body_malformed"),
        ("{", "body_malformed"), (#"{"faults":[],"slow_seconds":-1}"#, "member_invalid"),
        (#"{"faults":[],"slow_seconds":601}"#, "member_invalid"),
        (#"{"faults":[],"slow_seconds":1.5}"#, "member_invalid"),
    ])
    func whatIsWrongIsSaid(body: String, code: String) async throws {
        let response = try await StandIn().post(json: body, "/control/faults")
        #expect(response.status == 400)
        #expect(response.code == code)
    }
}
