import Foundation
import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTestSupport
import Testing

@Suite struct KeySetTests {
    private func jwk(_ key: PrivateKey, _ algorithm: Algorithm, _ keyID: String? = "good") throws -> [(
        String, JSONOutput
    )] {
        guard case .object(let members)? = try SigningKey(key, algorithm, keyID: keyID).publicJWK() else { return [] }
        return members
    }

    private func set(_ members: [JSONOutput]) throws -> KeySet {
        try KeySet(Array(JSONOutput.object([("keys", .array(members))]).text().utf8))
    }

    private func changed(_ members: [(String, JSONOutput)], _ name: String, _ value: JSONOutput?) -> JSONOutput {
        .object(members.filter { $0.0 != name } + (value.map { [(name, $0)] } ?? []))
    }

    /// One bad member beside a good key: it is skipped for its reason, and the good key stays.
    @Test func badMembers() throws {
        let rsa = try jwk(TestKeys.otherRSA.get(), .rs256, "bad")
        let ec = try jwk(TestKeys.p256.get(), .es256, "bad")
        let okp = try jwk(TestKeys.ed25519.get(), .edDSA, "bad")
        let short = Base64URL.encode([UInt8](repeating: 0xA5, count: 128))
        let bad: [(JSONOutput, SkippedMember.Reason)] = [
            (.integer(1), .notAnObject), (.null, .notAnObject), (.string("key"), .notAnObject),
            (.array([]), .notAnObject),
            (.object([]), .malformed), (changed(rsa, "kty", .integer(1)), .malformed),
            (changed(rsa, "n", nil), .malformed),
            (changed(rsa, "n", .integer(5)), .malformed), (changed(rsa, "n", .string("AQAB=")), .malformed),
            (changed(rsa, "kid", .integer(1)), .malformed), (changed(rsa, "kid", .string("")), .malformed),
            (changed(rsa, "use", .integer(1)), .malformed),
            (changed(rsa, "issuer", .integer(5)), .malformed), (changed(rsa, "key_ops", .string("verify")), .malformed),
            (changed(ec, "crv", nil), .malformed), (changed(rsa, "kty", .string("AKP")), .unsupportedKeyType),
            (changed(rsa, "kty", .string("rsa")), .unsupportedKeyType),
            (changed(okp, "kty", .string("O\u{212A}P")), .unsupportedKeyType),
            (.object([("kty", .string("oct")), ("k", .string("AAAA"))]), .symmetric),
            (.object([("kty", .string("oct"))]), .symmetric), (changed(rsa, "d", .string("AAAA")), .privateParts),
            (changed(ec, "d", .string("AAAA")), .privateParts), (changed(rsa, "k", .null), .privateParts),
            (changed(ec, "crv", .string("secp256k1")), .unsupportedCurve),
            (changed(okp, "crv", .string("X25519")), .unsupportedCurve), (changed(rsa, "use", .string("enc")), .use),
            (changed(rsa, "use", .string("SIG")), .use), (changed(rsa, "key_ops", .strings(["sign"])), .keyOperations),
            (changed(rsa, "key_ops", .array([])), .keyOperations),
            (changed(rsa, "alg", .string("RSA-OAEP")), .algorithm),
            (changed(rsa, "alg", .string("ES256")), .algorithm), (changed(ec, "alg", .string("ES384")), .algorithm),
            (changed(okp, "alg", .string("HS256")), .algorithm), (changed(rsa, "n", .string(short)), .weak),
            (changed(rsa, "e", .string("AQ")), .invalid), (changed(rsa, "e", .string("Aw")), .invalid),
            (changed(ec, "x", .string("AAAA")), .invalid), (changed(okp, "x", .string("AAAA")), .invalid),
        ]
        let good = JSONOutput.object(try jwk(TestKeys.rsa.get(), .rs256))
        for (member, reason) in bad {
            for members in [[member, good], [good, member]] {
                let set = try set(members)
                #expect(set.usable.map(\.keyID) == ["good"], "\(member)")
                #expect(set.skipped.map(\.reason) == [reason], "\(member)")
            }
        }
        #expect(Set(bad.map(\.1)).union([.duplicate, .tooMany]) == Set(SkippedMember.Reason.all))
        #expect(SkippedMember.Reason.all.filter(\.isAlarming) == [.symmetric, .privateParts])
    }

    @Test func duplicatesCountOnce() throws {
        let key = try jwk(TestKeys.rsa.get(), .rs256)
        let two = try set([.object(key), .object(key)])
        #expect(two.usable.count == 1)
        #expect(two.skipped.map(\.reason) == [.duplicate])
        let others = try set([.object(key), changed(key, "kid", .string("other")), changed(key, "kid", nil)])
        #expect(others.usable.count == 3)
    }

    @Test func sixtyFourAndNoMore() throws {
        let key = try jwk(TestKeys.ed25519.get(), .edDSA)
        for (count, skipped, unread) in [(64, 0, 0), (65, 1, 0), (256, 192, 0), (257, 192, 1), (1000, 192, 744)] {
            let set = try set((0..<count).map { changed(key, "kid", .string("k\($0)")) })
            #expect(set.usable.count == 64)
            #expect(set.skipped.count == skipped)
            #expect(set.skipped.allSatisfy { $0.reason == .tooMany })
            #expect(set.unreadCount == unread)
        }
    }

    /// Members that are worth nothing cost next to nothing, however many there are.
    @Test func worthlessMembersAreCountedUnread() throws {
        let count = 400_000
        let text = "{\"keys\":[\(String(repeating: "1,", count: count - 1))1]}"
        let set = try KeySet(Array(text.utf8))
        #expect(set.usable.isEmpty)
        #expect(set.skipped.count == 256)
        #expect(set.unreadCount == count - 256)
    }

    @Test func tooLarge() throws {
        for (padding, isRead) in [(KeySet.maximumSize - 11, true), (KeySet.maximumSize - 10, false)] {
            let text = "{\"keys\":[]}" + String(repeating: " ", count: padding)
            #expect(((try? KeySet(Array(text.utf8))) != nil) == isRead)
        }
    }

    private func expensive(_ count: Int, _ more: [(String, JSONOutput)] = []) -> [JSONOutput] {
        (0..<count).map { number in
            // Even, and so refused at once: what counts is what they might have cost.
            var modulus = [UInt8](repeating: 0xA4, count: 1024)
            modulus[1] = UInt8(number)
            return .object(
                [("kty", .string("RSA")), ("n", .string(Base64URL.encode(modulus))), ("e", .string("AQAB"))] + more)
        }
    }

    /// Checking a key of 8192 bits takes 64 times as long as one of 2048: a set may hold two, good or not.
    @Test func theCostOfCheckingIsBounded() throws {
        let okp = JSONOutput.object(try jwk(TestKeys.ed25519.get(), .edDSA))
        let rsa = JSONOutput.object(try jwk(TestKeys.rsa.get(), .rs256))
        for (count, isReached) in [(1, true), (2, false), (20, false)] {
            let set = try set([okp] + expensive(count) + [rsa])
            #expect(set.usable.count == (isReached ? 2 : 1))
            #expect(set.skipped.filter { $0.reason == .tooMany }.count == (isReached ? 0 : count - 2 + 1))
        }
    }

    /// What is never checked costs nothing, so it cannot hide a good key.
    @Test func membersThatAreSkippedAnywayAreNotCharged() throws {
        let rsa = JSONOutput.object(try jwk(TestKeys.rsa.get(), .rs256))
        for more in [("use", JSONOutput.string("enc")), ("d", .string("AQ")), ("alg", .string("ES256"))] {
            let set = try set(expensive(40, [more]) + [rsa])
            #expect(set.usable.map(\.keyID) == ["good"])
        }
    }

    /// A secret is told whatever else is wrong with its member, and also behind the 64th key.
    @Test func secretsAreToldFirst() throws {
        let rsa = try jwk(TestKeys.rsa.get(), .rs256)
        let leak = JSONOutput.object(rsa).with("d", .string("AAAA"))
        for member in [
            leak.with("kty", nil), leak.with("kty", .string("rsa")), leak.with("kid", .string("")),
            leak.with("use", .integer(1)), leak.with("n", nil), leak.with("crv", .integer(1)),
        ] {
            #expect(try set([member]).skipped.map(\.reason) == [.privateParts], "\(member)")
        }
        for member in [("use", JSONOutput.integer(5)), ("kid", .string("")), ("alg", .null)] {
            let oct = JSONOutput.object([("kty", .string("oct")), ("k", .string("AAAA")), member])
            #expect(try set([oct]).skipped.map(\.reason) == [.symmetric])
        }
        let ed = try jwk(TestKeys.ed25519.get(), .edDSA)
        let many = (0..<64).map { changed(ed, "kid", .string("k\($0)")) }
        #expect(try set(many + [leak]).skipped.map(\.reason) == [.privateParts])
    }

    /// A key whose private part the set shows, under whatever name, is nobody's key any more.
    @Test func leakedKeysAreWithdrawn() throws {
        let bystander = JSONOutput.object(try jwk(TestKeys.otherRSA.get(), .rs256, "bystander"))
        for (key, algorithm) in [
            (try TestKeys.rsa.get(), Algorithm.rs256), (try TestKeys.p256.get(), .es256),
            (try TestKeys.ed25519.get(), .edDSA),
        ] {
            let good = try jwk(key, algorithm)
            let twin = changed(good, "kid", .string("twin")).with("d", .string("AAAA"))
            let nameless = changed(good, "kid", nil).with("alg", nil).with("e", .string("AQABAQ")).with(
                "d", .string("AQ"))
            for leak in [twin, nameless] + (try respelled(twin)) {
                for members in [[leak, .object(good), bystander], [.object(good), bystander, leak]] {
                    let set = try set(members)
                    #expect(set.usable.map(\.keyID) == ["bystander"])
                    #expect(set.skipped.map(\.reason) == [.privateParts, .privateParts])
                    #expect(set.skipped.map(\.position) == set.skipped.map(\.position).sorted())
                }
            }
        }
    }

    /// The same number in other spellings: with leading zeros, padded, in the standard alphabet; beside another number.
    private func respelled(_ twin: JSONOutput) throws -> [JSONOutput] {
        guard case .object(let members) = twin,
            let (name, value) = members.first(where: { $0.0 == "n" || $0.0 == "x" }),
            case .string(let text) = value, let octets = Base64URL.decode(text)
        else { return [] }
        let zeros = Base64URL.encode([0, 0] + octets)
        let data = Data(octets).base64EncodedString()
        return [
            twin.with(name, .string(zeros)), twin.with(name, .string(data)), twin.with(name, .string(text + "=")),
            twin.with(name == "n" ? "x" : "n", .string("AQAB")), twin.with(name == "n" ? "x" : "n", .integer(1)),
            twin.with("kty", nil),
        ]
    }

    /// Nothing that is no secret takes a key away.
    @Test func whatIsNoSecretWithdrawsNothing() throws {
        let good = try jwk(TestKeys.rsa.get(), .rs256)
        for other in [
            JSONOutput.object(good).with("d", .null), JSONOutput.object(good).with("d", .string("")),
            JSONOutput.object(good).with("kty", .string("oct")).with("k", .string("AA")),
        ] {
            #expect(try set([.object(good), other]).usable.map(\.keyID) == ["good"])
        }
    }

    @Test(arguments: [
        "", "[]", "{}", "null", "{\"keys\":null}", "{\"keys\":{}}", "{\"keys\":[],\"keys\":[]}", "{\"keys\":[",
    ])
    func malformed(_ text: String) {
        #expect(throws: KeySetError.self) { try KeySet(Array(text.utf8)) }
    }

    @Test func emptyIsAKeySet() throws {
        #expect(try KeySet(Array("{\"keys\":[]}".utf8)).usable.isEmpty)
    }

    // MARK: - Choice

    private func choice(_ set: KeySet, _ header: String, _ algorithm: Algorithm, required: Bool = false) throws
        -> String
    {
        var result = ""
        try Array("\(Base64URL.encode(Array(header.utf8))).e30.AA".utf8).parsed { jws in
            switch set.choose(jws.header, algorithm, keyIDRequired: required) {
            case .key(let key): result = key.keyID ?? "unnamed"
            case .notFound: result = "not found"
            case .ambiguous: result = "ambiguous"
            case .unusable: result = "unusable"
            case .nothingUsable: result = "nothing"
            }
        }
        return result
    }

    @Test func choosing() throws {
        let rsa = try jwk(TestKeys.rsa.get(), .rs256, "a")
        let other = try jwk(TestKeys.otherRSA.get(), .rs256, "b")
        let ec = try jwk(TestKeys.p256.get(), .es256, "a")
        let set = try set([
            .object(rsa), .object(other), .object(ec),
            changed(rsa, "kid", .string("skipped")).with("use", .string("enc")),
            changed(rsa, "kid", .string("twice")), changed(other, "kid", .string("twice")),
        ])
        let a = #"{"alg":"RS256","kid":"a"}"#
        #expect(try choice(set, a, .rs256) == "a")
        #expect(try choice(set, a, .es256) == "a")
        #expect(try choice(set, a, .ps256) == "unusable")
        #expect(try choice(set, #"{"alg":"RS256","kid":"skipped"}"#, .rs256) == "unusable")
        #expect(try choice(set, #"{"alg":"RS256","kid":"twice"}"#, .rs256) == "ambiguous")
        #expect(try choice(set, #"{"alg":"RS256","kid":"A"}"#, .rs256) == "not found")
        #expect(try choice(set, #"{"alg":"RS256"}"#, .rs256) == "ambiguous")
        // Only one key leaves no doubt, whatever the others are for.
        #expect(try choice(set, #"{"alg":"ES256"}"#, .es256) == "ambiguous")
        #expect(try choice(set, #"{"alg":"ES256"}"#, .es256, required: true) == "not found")
        #expect(try choice(set, #"{"alg":"EdDSA","kid":"a"}"#, .edDSA) == "unusable")
        let single = try self.set([.object(ec), changed(rsa, "use", .string("enc"))])
        #expect(try choice(single, #"{"alg":"ES256"}"#, .es256) == "a")
        #expect(try choice(single, #"{"alg":"RS256"}"#, .rs256) == "not found")
        // What was not looked at may be another key.
        let worthless = [JSONOutput](repeating: .integer(1), count: 255)
        #expect(try choice(self.set([.object(ec)] + worthless), #"{"alg":"ES256"}"#, .es256) == "a")
        #expect(try choice(self.set([.object(ec)] + worthless + [.null]), #"{"alg":"ES256"}"#, .es256) == "ambiguous")
        #expect(try choice(self.set([.object(ec)] + expensive(4)), #"{"alg":"ES256"}"#, .es256) == "ambiguous")
        let twice = try self.set([.object(ec), changed(ec, "kid", .string("b"))])
        #expect(try choice(twice, #"{"alg":"ES256"}"#, .es256) == "a")
        #expect(try choice(KeySet(keys: []), a, .rs256) == "nothing")
    }

    // MARK: - Thumbprints

    @Test func thumbprintOfAnRSAKey() throws {
        let key = try TestKeys.rsa.get().publicKey
        guard case .rsa(let modulus, let exponent) = try key.material() else { return }
        let text = "{\"e\":\"\(Base64URL.encode(exponent))\",\"kty\":\"RSA\",\"n\":\"\(Base64URL.encode(modulus))\"}"
        #expect(try Thumbprint.sha256(of: key) == Base64URL.encode(HashAlgorithm.sha256.digest(of: Array(text.utf8))))
    }

    /// The tokens and thumbprints that the RFCs print.
    @Test(.enabled(if: TestPaths.hasExtraVectors, "POSTERN_EXTRA_VECTORS is not set"))
    func rfcVectors() throws {
        let document = try JSONDocument(Array(TestPaths.extra("rfc/rfc_jose_vectors.json")))
        var counts = (signatures: 0, thumbprints: 0, others: 0)
        for vector in try #require(document.root["vectors"]?.elements) {
            let jwk = vector["jwk"]?.text ?? "{}"
            let set = try KeySet(Array("{\"keys\":[\(jwk)]}".utf8))
            if let expected = vector["thumbprint_sha256"]?.string {
                #expect(set.usable.first?.thumbprint == expected)
                counts.thumbprints += 1
            }
            guard let token = vector["jws"]?.string else { continue }
            try Array(token.utf8).parsed { jws in
                guard let algorithm = jws.header.algorithm else {
                    counts.others += 1
                    #expect(["HS256", "none"].contains(jws.header.algorithmName))
                    #expect(set.usable.isEmpty)
                    return
                }
                guard case .key(let key) = set.choose(jws.header, algorithm, keyIDRequired: false) else {
                    Issue.record("no key for \(vector["name"]?.string ?? "")")
                    return
                }
                #expect((try? jws.verified(with: key, algorithm)) != nil)
                counts.signatures += 1
            }
        }
        #expect(counts == (4, 2, 2))
    }
}

extension JSONOutput {
    fileprivate func with(_ name: String, _ value: JSONOutput?) -> JSONOutput {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.0 != name } + (value.map { [(name, $0)] } ?? []))
    }
}
