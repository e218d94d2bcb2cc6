import PosternBase
import PosternCrypto
import PosternJOSE
import PosternStoreTestSupport
import Testing

@testable import PosternAccounts

@Suite struct AccessTokensTests {
    private static let now: Int64 = 1_790_000_000

    /// A key that tests can sign with too, in a store as the current one.
    private struct Place {
        let tokens: AccessTokens
        let signer: SigningKey
        let keyID: String
        let store = MemoryStore()

        init() async throws {
            let master = try MasterKeys([Secret([UInt8](repeating: 7, count: 32))])
            let key = try PrivateKey.generateEC(.p256)
            let keyID = try Thumbprint.sha256(of: key.publicKey)
            let sealed = try SealedKeys(master, random: .seeded(1)).seal(key, keyID: keyID)
            try await store.transact { transaction throws(StoreFault) in
                try transaction.put(
                    StoredSigningKey(
                        keyID: keyID, state: .current, sealed: sealed, createdAt: 0, since: AccessTokensTests.now))
            }
            let plan = SigningKeyPlan(period: 30 * 86_400, accessTokenLifetime: 3_600)
            let keys = try SigningKeys(master, plan: plan, random: .seeded(2))
            try await keys.maintain(store, now: AccessTokensTests.now)
            tokens = AccessTokens(keys, issuer: "https://accounts.example", audience: "app")
            signer = try SigningKey(key, .es256, keyID: keyID)
            self.keyID = keyID
        }

        var account: Account {
            get throws {
                Account(
                    id: Identifier(milliseconds: 1, random: .seeded(1)), email: try EmailAddress("a@mail.example"),
                    createdAt: 1)
            }
        }

        func session(expiresAt: Int64 = .max) throws -> Session {
            Session(
                id: Identifier(milliseconds: 2, random: .seeded(2)), account: try account.id, method: .password,
                createdAt: AccessTokensTests.now - 5, counter: 3, expiresAt: expiresAt)
        }

        /// A good token with these members of header or payload set, or left out with nil.
        func token(header: [String: JSONOutput?] = [:], payload: [String: JSONOutput?] = [:]) throws -> String {
            let head = try Self.text(
                [("alg", .string("ES256")), ("kid", .string(keyID)), ("typ", .string("at+jwt"))], header)
            let body = try Self.text(
                [
                    ("iss", .string("https://accounts.example")), ("aud", .string("app")),
                    ("sub", .string("\(account.id)")), ("sid", .string("\(session().id)")), ("rc", .integer(3)),
                    ("iat", .integer(AccessTokensTests.now)), ("exp", .integer(AccessTokensTests.now + 60)),
                ], payload)
            return try signer.sign(header: head, payload: body)
        }

        private static func text(_ members: [(String, JSONOutput)], _ changes: [String: JSONOutput?]) throws -> [UInt8]
        {
            var members = members.filter { changes[$0.0] == nil }
            for (name, value) in changes { if let value { members.append((name, value)) } }
            return Array(JSONOutput.object(members).text().utf8)
        }
    }

    @Test func roundTrip() async throws {
        let place = try await Place()
        let session = try place.session()
        let token = try place.tokens.token(session, place.account, now: Self.now)
        let content = try #require(place.tokens.content(of: token, now: Self.now))
        #expect(content.account == session.account)
        #expect(content.session == session.id)
        #expect(content.counter == 3)
        #expect(content.issuedAt == Self.now)
        #expect(content.expiresAt == Self.now + 3_600)
        #expect(place.tokens.content(of: token, now: Self.now + 3_599) != nil)
        #expect(place.tokens.content(of: token, now: Self.now + 3_600) == nil)
    }

    @Test func noTokenOutlivesItsSession() async throws {
        let place = try await Place()
        let token = try place.tokens.token(place.session(expiresAt: Self.now + 10), place.account, now: Self.now)
        #expect(place.tokens.content(of: token, now: Self.now + 9) != nil)
        #expect(place.tokens.content(of: token, now: Self.now + 10) == nil)
    }

    @Test func everyBitCounts() async throws {
        let place = try await Place()
        let token = try place.token()
        let bytes = Array(token.utf8)
        #expect(place.tokens.content(of: token, now: Self.now) != nil)
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                guard let text = String(validating: changed, as: UTF8.self) else { continue }
                #expect(place.tokens.content(of: text, now: Self.now) == nil, "byte \(index), bit \(bit)")
            }
        }
    }

    /// Signed by the right key, and still not ours.
    @Test func whatAGoodSignatureDoesNotMakeGood() async throws {
        let place = try await Place()
        let headers: [[String: JSONOutput?]] = [
            ["typ": nil], ["typ": .string("JWT")], ["typ": .string("AT+JWT")], ["typ": .string("application/at+jwt")],
            ["typ": .string("")], ["alg": .string("ES384")], ["alg": .string("none")], ["alg": .string("HS256")],
            ["alg": .string("es256")], ["kid": nil], ["kid": .string("")], ["kid": .string(place.keyID + "x")],
            ["kid": .string(place.keyID.lowercased())],
            ["crit": .strings(["exp"])], ["crit": .strings(["b64"]), "b64": .bool(true)], ["b64": .bool(true)],
            ["zip": .string("DEF")],
        ]
        for header in headers {
            #expect(place.tokens.content(of: try place.token(header: header), now: Self.now) == nil, "\(header)")
        }
        let payloads: [[String: JSONOutput?]] = [
            ["iss": nil], ["iss": .string("https://accounts.example/")], ["iss": .string("https://id.example")],
            ["aud": nil], ["aud": .string("App")], ["aud": .strings(["app"])], ["aud": .strings(["app", "other"])],
            ["sub": nil], ["sub": .string("x")], ["sid": nil], ["sid": .string("")], ["sid": .integer(1)],
            ["rc": nil], ["rc": .string("3")], ["exp": nil], ["exp": .string("\(Self.now + 60)")],
            ["exp": .integer(Self.now)], ["exp": .integer(-1)], ["exp": .integer(.min)], ["iat": nil],
            ["iat": .string("1")],
        ]
        for payload in payloads {
            #expect(place.tokens.content(of: try place.token(payload: payload), now: Self.now) == nil, "\(payload)")
        }
        #expect(place.tokens.content(of: try place.token(), now: Self.now) != nil)
    }

    /// For messages: ours stay ours when they have expired, and what only looks like one of ours is none.
    @Test func whatIsOurs() async throws {
        let (place, other) = (try await Place(), try await Place())
        func isOurs(_ token: String) -> Bool {
            var token = token
            return token.withUTF8(place.tokens.isOurs)
        }
        let token = try place.token()
        #expect(isOurs(token))
        #expect(isOurs(try place.token(payload: ["exp": .integer(0)])))
        let others = [
            try other.token(), try other.token(header: ["kid": .string(place.keyID)]),
            try place.token(header: ["typ": .string("JWT")]),
            try place.token(payload: ["iss": .string("https://id.example")]),
            try place.token(payload: ["aud": .string("other")]), token + ".", String(token.dropLast()), "", "a.b.c",
        ]
        for text in others { #expect(!isOurs(text), "\(text)") }
    }

    /// Whoever has made and signed it.
    @Test func theFormOfAnAccessToken() async throws {
        let place = try await Place()
        let token = try place.token()
        #expect(AccessTokens.hasForm(token))
        #expect(AccessTokens.hasForm(try place.token(payload: ["exp": .integer(0)])))
        #expect(AccessTokens.hasForm(try await Place().token()))
        let others = [
            "", "nonsense", "a.b.c", "\(try place.session().id)", try place.token(header: ["typ": nil]),
            try place.token(header: ["typ": .string("JWT")]), token + ".",
            "\(token)\(String(repeating: "A", count: 8_192))",
        ]
        for text in others { #expect(!AccessTokens.hasForm(text), "\(text)") }
    }

    @Test func otherKeys() async throws {
        let place = try await Place()
        let other = try await Place()
        #expect(other.tokens.content(of: try place.token(), now: Self.now) == nil)
        // Under the name of a key that it was not made with.
        let forged = try other.token(header: ["kid": .string(place.keyID)])
        #expect(place.tokens.content(of: forged, now: Self.now) == nil)
        // HMAC with what is public.
        let published = try #require(try place.signer.publicJWK()?.text())
        let secret = try SigningKey(hs256: Array(published.utf8), keyID: place.keyID)
        let parts = try place.token().split(separator: ".")
        let payload = try #require(Base64URL.decode(String(parts[1])))
        #expect(place.tokens.content(of: try secret.sign(payload, type: "at+jwt"), now: Self.now) == nil)
        #expect(place.tokens.content(of: "\(parts[0]).\(parts[1]).", now: Self.now) == nil)
    }

    @Test func whatIsNoTokenAtAll() async throws {
        let place = try await Place()
        for text in ["", ".", "..", "a.b.c", String(repeating: "A", count: 100_000), "\u{0}", try place.token() + "."] {
            #expect(place.tokens.content(of: text, now: Self.now) == nil)
        }
    }
}
