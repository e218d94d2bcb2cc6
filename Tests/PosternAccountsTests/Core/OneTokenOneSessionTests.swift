import PosternAccounts
import PosternBase
import PosternStoreTestSupport
import PosternTokens
import Testing

/// One token buys one session (design 4.5).
@Suite struct OneTokenOneSessionTests {
    /// Seconds later, and whether an identical retry still gets the session.
    static let times: [(Int64, Bool)] = [
        (0, true), (1, true), (29, true), (30, false), (31, false), (300, false), (-10, true), (-11, false),
    ]

    @Test(arguments: TestedStore.all, times)
    func anIdenticalRetry(kind: TestedStore, time: (later: Int64, isSame: Bool)) async throws {
        for client in [TestClient.hashed, .issued] {
            try await withAccounts(kind) { fixture in
                let proof = try fixture.proof(TestSignIn(client: client))
                let first = try await fixture.exchange(proof)
                fixture.clock.move(by: time.later)
                guard time.isSame else {
                    #expect(await outcome { try await fixture.exchange(proof) } == "token_used")
                    return
                }
                let second = try await fixture.exchange(proof)
                #expect(second.session == first.session)
                #expect(second.refreshToken.revealed == first.refreshToken.revealed)
                #expect(try await fixture.accounts.sessions(of: first.account.id).count == 1)
                // It buys no more time either.
                fixture.clock.move(by: 30 - time.later)
                #expect(await outcome { try await fixture.exchange(proof) } == "token_used")
            }
        }
    }

    @Test(arguments: TestedStore.all, [TestClient.plain, .unchecked])
    func withoutProtectionThereIsNoRetry(kind: TestedStore, client: TestClient) async throws {
        try await withAccounts(kind) { fixture in
            let proof = try fixture.proof(TestSignIn(client: client))
            try await fixture.exchange(proof)
            #expect(await outcome { try await fixture.exchange(proof) } == "token_used")
        }
    }

    @Test(arguments: TestedStore.all)
    func whatIsNotIdentical(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let other = try await fixture.signIn(TestSignIn(subject: "other"))
            let proof = try fixture.proof()
            let grant = try await fixture.exchange(proof)
            var changed = proof
            changed.nonce = "another"
            #expect(await outcome { try await fixture.exchange(changed) } == "nonce_mismatch")
            changed = proof
            changed.audience = "plain"
            #expect(await outcome { try await fixture.exchange(changed) } == "audience_mismatch")
            #expect(await outcome { try await fixture.exchange(proof, linkTo: other) } == "token_used")
            #expect(await outcome { try await fixture.exchange(proof, linkTo: grant) } == "token_used")
            // The audience that it has anyway may be named.
            changed = proof
            changed.audience = "hashed"
            #expect(try await fixture.exchange(changed).session == grant.session)
        }
    }

    @Test(arguments: TestedStore.all)
    func aLinkIsRepeatedAsALink(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let first = try await fixture.signIn()
            let proof = try fixture.proof(TestSignIn(provider: .oidc))
            let linked = try await fixture.exchange(proof, linkTo: first)
            #expect(try await fixture.exchange(proof, linkTo: first).session == linked.session)
            #expect(await outcome { try await fixture.exchange(proof) } == "token_used")
        }
    }

    /// What ends the retry before its time.
    @Test(arguments: TestedStore.all, ["refresh", "end", "ban", "delete"])
    func whatComesBetween(kind: TestedStore, what: String) async throws {
        try await withAccounts(kind) { fixture in
            let proof = try fixture.proof()
            let grant = try await fixture.exchange(proof)
            let id = grant.account.id
            switch what {
            case "refresh": try await fixture.refresh(grant)
            case "end": try await fixture.accounts.end(session: grant.session.id, caller: nil)
            case "ban": _ = try await fixture.accounts.change(id, AccountChange(bannedUntil: .some(.max)), caller: nil)
            default: try await fixture.accounts.delete(account: id, caller: nil)
            }
            #expect(await outcome { try await fixture.exchange(proof) } == "token_used")
        }
    }

    @Test(arguments: TestedStore.all)
    func whereATokenMayBuyMany(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let often = try fixture.proof(TestSignIn(client: .hashedOften))
            let sessions = [try await fixture.exchange(often).session.id, try await fixture.exchange(often).session.id]
            #expect(Set(sessions).count == 2)
            // An issued nonce is good once all the same.
            let issued = try fixture.proof(TestSignIn(client: .issuedOften))
            try await fixture.exchange(issued)
            #expect(await outcome { try await fixture.exchange(issued) } == "nonce_used")
        }
    }

    /// n of P-256 (SEC 2 §2.4.2).
    private static let order = Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551") ?? []

    /// (r, n − s) is as good a signature as (r, s).
    private func malleated(_ token: String) throws -> String {
        let parts = token.split(separator: ".")
        var signature = try #require(Base64URL.decode(String(parts[2])))
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(Self.order[index]) - Int(signature[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            signature[32 + index] = UInt8(difference & 0xFF)
        }
        return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"
    }

    @Test(arguments: TestedStore.all)
    func aMalleatedCopyBuysNothing(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            let original = try fixture.proof(TestSignIn(provider: .oidc))
            var copy = original
            copy.token = try malleated(original.token)
            #expect(copy.token != original.token)
            // It is a good token: first come, first served.
            let first = try await fixture.exchange(copy)
            #expect(try await fixture.exchange(original).session == first.session)
            #expect(try await fixture.exchange(copy).session == first.session)
            fixture.clock.move(by: 30)
            for proof in [original, copy] {
                #expect(await outcome { try await fixture.exchange(proof) } == "token_used")
            }
            #expect(try await fixture.accounts.sessions(of: first.account.id).count == 1)
        }
    }

    @Test(arguments: TestedStore.all)
    func reencodedCopiesBuyNothing(kind: TestedStore) async throws {
        try await withAccounts(kind) { fixture in
            for provider in TestProvider.allCases {
                let proof = try fixture.proof(TestSignIn(provider: provider))
                let grant = try await fixture.exchange(proof)
                let parts = proof.token.split(separator: ".").map(String.init)
                var copies = ["=", " ", "\n", ".", "\u{0}", "A"].flatMap { [proof.token + $0, $0 + proof.token] }
                copies.append(parts.map { $0 + "=" }.joined(separator: "."))
                copies.append(proof.token.replacing("-", with: "+").replacing("_", with: "/") + "==")
                for part in 0..<3 {
                    // Other bits in the last character, of which some are not part of any byte.
                    for character in "AQgwBCDEFGHIJ0123456789-_xyz" where character != parts[part].last {
                        var changed = parts
                        changed[part] = parts[part].dropLast() + String(character)
                        copies.append(changed.joined(separator: "."))
                    }
                }
                for copy in copies {
                    var changed = proof
                    changed.token = copy
                    let word = await outcome { try await fixture.exchange(changed) }
                    #expect(word != "done", "\(copy)")
                }
                #expect(try await fixture.accounts.sessions(of: grant.account.id).count == 1)
            }
        }
    }
}
