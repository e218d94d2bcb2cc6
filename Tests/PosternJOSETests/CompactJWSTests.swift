import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTestSupport
import Testing

@Suite struct CompactJWSTests {
    /// What the reader says of the token: the stage at which it is refused, or the algorithm that it names.
    private func outcome(_ token: String, limit: Int = .max) -> String {
        var result = ""
        do throws(JWSFault) {
            try Array(token.utf8).parsed(limit: limit) { result = $0.header.algorithmName }
        } catch {
            return "\(error.stage)"
        }
        return result
    }

    private func token(_ header: String) -> String { "\(Base64URL.encode(Array(header.utf8))).e30.AA" }

    @Test func withoutABound() {
        #expect(outcome(String(repeating: ".", count: 1_000_000)) == "form")
        #expect(outcome(String(repeating: "[", count: 100_000)) == "form")
        #expect(outcome(token(String(repeating: "[", count: 100_000))) == "header")
        #expect(outcome(token(String(repeating: "{\"a\":", count: 100_000))) == "header")
        #expect(outcome(token("{\"alg\":\"RS256\",\"x\":\"\(String(repeating: "x", count: 1_000_000))\"}")) == "RS256")
    }

    @Test(arguments: [
        ("", "form"), (".", "form"), ("..", "form"), ("a.b", "form"), ("e30.e30", "form"), ("e30.e30.", "header"),
        ("e30.e30.AA.AA", "form"), ("e30.e30.AA.", "form"), (".e30.e30.AA", "form"), ("e30..AA", "header"),
        ("e30.e30.AB", "form"), ("e30.e30.AA=", "form"), ("e30.e31.AA", "form"), ("e31.e30.AA", "form"),
        (" e30.e30.AA", "form"), ("e30.e30.AA\n", "form"), ("e30.e30.A", "form"), ("{\"payload\":\"e30\"}", "form"),
        ("e30.e30.AA.AA.AA", "form"), ("é30.e30.AA", "form"),
    ])
    func segments(_ token: String, _ stage: String) {
        #expect(outcome(token) == stage)
    }

    @Test func sizeBothSides() {
        let token = token("{\"alg\":\"RS256\"}")
        #expect(outcome(token, limit: token.utf8.count) == "RS256")
        #expect(outcome(token, limit: token.utf8.count - 1) == "size")
    }

    @Test(arguments: [
        ("{\"alg\":\"RS256\"}", "RS256"), ("{\"alg\":\"none\"}", "none"), ("{}", "header"), ("[]", "header"),
        ("{\"alg\":null}", "header"), ("{\"alg\":256}", "header"), ("{\"alg\":[\"RS256\"]}", "header"),
        ("{\"ALG\":\"RS256\"}", "header"), ("{\"alg\":\"RS256\",\"kid\":\"\"}", "header"),
        ("{\"alg\":\"RS256\",\"kid\":1}", "header"), ("{\"alg\":\"RS256\",\"kid\":null}", "header"),
        ("{\"alg\":\"RS256\",\"typ\":1}", "header"), ("{\"alg\":\"RS256\",\"cty\":[]}", "header"),
        ("{\"alg\":\"RS256\",\"enc\":\"A128GCM\"}", "header"), ("{\"alg\":\"RS256\",\"typ\":\"JWT\"}", "RS256"),
        ("{\"alg\":\"RS256\",\"jwk\":{},\"x5c\":[1]}", "RS256"),
    ])
    func headers(_ header: String, _ expected: String) {
        #expect(outcome(token(header)) == expected)
    }

    @Test func keyIDLength() {
        for (count, expected) in [(1, "RS256"), (128, "RS256"), (129, "header")] {
            #expect(
                outcome(token("{\"alg\":\"RS256\",\"kid\":\"\(String(repeating: "k", count: count))\"}")) == expected)
        }
        // Two bytes a letter.
        #expect(outcome(token("{\"alg\":\"RS256\",\"kid\":\"\(String(repeating: "é", count: 65))\"}")) == "header")
    }

    @Test func algorithmNames() {
        #expect(
            Algorithm.all.map(\.name)
                == ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
        )
        for algorithm in Algorithm.all { #expect(Algorithm(named: algorithm.name) == algorithm) }
        for name in ["none", "None", "", "HS256", "rs256", "RS257", "RS2560", "ES256K", "Ed25519", "RS25\u{FF16}"] {
            #expect(Algorithm(named: name) == nil)
        }
    }
}

extension [UInt8] {
    func parsed(limit: Int = .max, _ body: (borrowing UnverifiedJWS) -> Void) throws(JWSFault) {
        var fault: JWSFault?
        withUnsafeBufferPointer { bytes in
            do throws(JWSFault) {
                try UnverifiedJWS.withParsed(bytes, maximumSize: limit, body)
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
    }
}

@Suite struct SigningTests {
    private static let algorithms: [(Algorithm, @Sendable () throws -> PrivateKey)] = [
        (.rs256, { try TestKeys.rsa.get() }), (.rs384, { try TestKeys.rsa.get() }),
        (.rs512, { try TestKeys.rsa.get() }),
        (.ps256, { try TestKeys.rsa.get() }), (.ps384, { try TestKeys.rsa.get() }),
        (.ps512, { try TestKeys.rsa.get() }),
        (.es256, { try TestKeys.p256.get() }), (.es384, { try .generateEC(.p384) }),
        (.es512, { try .generateEC(.p521) }),
        (.edDSA, { try TestKeys.ed25519.get() }),
    ]

    @Test(arguments: algorithms.indices)
    func whatIsSignedVerifies(_ index: Int) throws {
        let (algorithm, make) = Self.algorithms[index]
        let key = try make()
        let token = try SigningKey(key, algorithm, keyID: "k").sign(Array("payload".utf8))
        let verification = try VerificationKey(key.publicKey, keyID: "k", declaredAlgorithm: nil)
        #expect(verification.algorithms.contains(algorithm))
        var verified: [String] = []
        try Array(token.utf8).parsed { jws in
            #expect(jws.header.algorithm == algorithm)
            #expect(jws.header.keyID == "k")
            #expect(jws.header.type == "JWT")
            for other in Algorithm.all {
                if let proof = try? jws.verified(with: verification, other) {
                    verified.append(proof.algorithm.name)
                    #expect(proof.algorithm == other && jws.payload.bytes == Array("payload".utf8))
                }
            }
        }
        #expect(verified == [algorithm.name])
    }

    @Test func aDeclaredAlgorithmIsTheOnlyOne() throws {
        let key = try TestKeys.rsa.get()
        let verification = try VerificationKey(key.publicKey, keyID: nil, declaredAlgorithm: .rs256)
        #expect(verification.algorithms == [.rs256])
        let token = try SigningKey(key, .ps256, keyID: nil).sign([])
        try Array(token.utf8).parsed { jws in
            #expect((try? jws.verified(with: verification, .ps256)) == nil)
        }
    }

    @Test func hs256IsForOurselvesAlone() throws {
        let signer = try SigningKey(hs256: [UInt8](repeating: 7, count: 32), keyID: nil)
        #expect(signer.algorithmName == "HS256")
        #expect(try signer.publicJWK() == nil)
        let token = try signer.sign(Array("{}".utf8))
        let segments = token.split(separator: ".").map(String.init)
        let code = try HMAC.authenticationCode(
            of: Array("\(segments[0]).\(segments[1])".utf8),
            key: [UInt8](repeating: 7, count: 32),
            using: .sha256
        )
        #expect(Base64URL.decode(segments[2]) == code)
        try Array(token.utf8).parsed { #expect($0.header.algorithm == nil) }
        #expect(throws: CryptoError.self) { try SigningKey(hs256: [UInt8](repeating: 7, count: 31), keyID: nil) }
        #expect(throws: CryptoError.self) { try SigningKey(TestKeys.rsa.get(), .es256, keyID: nil) }
    }

    @Test func publicJWKs() throws {
        for (algorithm, make) in Self.algorithms {
            let signer = try SigningKey(make(), algorithm, keyID: "k")
            let set = try KeySet(Array("{\"keys\":[\(try #require(try signer.publicJWK()).text())]}".utf8))
            #expect(set.usable.map(\.algorithms) == [[algorithm]])
        }
    }
}
