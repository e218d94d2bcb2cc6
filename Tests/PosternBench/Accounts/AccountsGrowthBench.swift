import PosternAccounts
import PosternBase
import PosternCrypto
import PosternJOSE
import PosternPasswords
import PosternTokens

/// What signing in and refreshing cost among many accounts, and among a thousand, in turn.
struct AccountsGrowthBench {
    private static let few = 1_000

    private let sides: [Side]
    private let issuer: BenchIssuer

    init(count: Int) async throws {
        issuer = try BenchIssuer()
        sides = [try await Side(Self.few), try await Side(max(count, Self.few + 1))]
    }

    private struct Side {
        let folder: BenchFolder
        let people: AccountsPeople
        let counters = RefreshCounters()

        init(_ count: Int) async throws {
            folder = try BenchFolder()
            people = AccountsPeople(count: count)
            try await people.fill(folder.data)
        }
    }

    private enum Kind: String, CaseIterable {
        case refresh
        case token = "sign-in by token"
        case password = "sign-in by password without its hash"
    }

    func run(rounds: Int) async throws {
        for kind in Kind.allCases {
            for clients in [1, 64] { try await compare(kind, clients, rounds) }
        }
    }

    /// Prints `accounts, growth, refresh, 64 clients  1000 accounts 80.10 us CPU p50 5.10 ms  1000000 accounts 88.00 us p50 5.40 ms  ratio CPU 1.10
    /// (1.05-1.15) p50 1.06 (1.00-1.10)`, in one line.
    private func compare(_ kind: Kind, _ clients: Int, _ rounds: Int) async throws {
        var outcomes: [[AccountsLoad.Outcome]] = [[], []]
        for round in 0...rounds {
            for (place, side) in sides.enumerated() {
                let outcome = try await window(kind, side, clients, seed: round)
                if round > 0 { outcomes[place].append(outcome) }
            }
        }
        let texts = zip(sides, outcomes).map { side, outcomes in
            let waits = Spread(outcomes.map { $0.waits.median * 1e3 })
            return "\(side.people.count) accounts \(Measurement.fixed(Spread(outcomes.map(\.cpu)).median)) us CPU "
                + "p50 \(Measurement.fixed(waits.median)) ms"
        }
        let pairs = zip(outcomes[0], outcomes[1])
        print(
            "accounts, growth, \(kind.rawValue), \(clients) clients  \(texts.joined(separator: "  "))  "
                + "ratio CPU \(Spread(pairs.map { $1.cpu / $0.cpu })) "
                + "p50 \(Spread(pairs.map { $1.waits.median / $0.waits.median }))")
    }

    /// The store is opened and closed in each, so that whatever is written is moved from the log to the database in the time of its own window.
    private func window(_ kind: Kind, _ side: Side, _ count: Int, seed: Int) async throws -> AccountsLoad.Outcome {
        // Nobody signs in twice in a window, and few begin anew: who has signed in often has many sessions, which cost.
        let side = kind == .refresh || side.people.count > Self.few ? side : try await Side(Self.few)
        let each = count == 1 ? 400 : (kind == .refresh ? 6_000 : 960) / count
        let order = side.people.order(each * count, seed: count * 100 + seed)
        let tokens = kind == .token ? try order.map { try issuer.token(side.people, $0) } : []
        let place = try await AccountsPlace(side.folder.data)
        let clients: [any AccountsClient] = try (0..<count).map { number in
            let own = (number * each)..<((number + 1) * each)
            switch kind {
            case .refresh:
                return try RefreshingClient(
                    place.accounts, side.people, side.counters, place: number, of: count, seed: count * 100 + seed)
            case .token:
                return ExchangingClient(accounts: place.accounts, verifier: issuer.verifier, tokens: tokens[own])
            case .password:
                return try PasswordClient(place.accounts, side.people, "any password", order[own])
            }
        }
        return try await AccountsLoad.run(clients, each: each) { await place.close() }
    }
}

/// Whose identity tokens the people sign in with.
struct BenchIssuer {
    let verifier: TokenVerifier
    private let signer: SigningKey

    init() throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        signer = try SigningKey(key, .rs256, keyID: BenchToken.keyID)
        let keys = KeySet(keys: [
            try VerificationKey(key.publicKey, keyID: BenchToken.keyID, declaredAlgorithm: .rs256)
        ])
        verifier = try TokenVerifier(
            .oidc(
                issuer: AccountsPeople.providerIssuer,
                audiences: [Audience("com.example.app", nonce: .unchecked)], algorithms: [.rs256]),
            keys: StaticKeySource(keys))
    }

    func token(_ people: AccountsPeople, _ number: Int) throws -> String {
        let now = TimeSource.system.now()
        let claims: [(String, JSONOutput)] = [
            ("iss", .string(AccountsPeople.providerIssuer)), ("aud", .string("com.example.app")),
            ("sub", .string(people.subject(number))), ("iat", .integer(now)), ("exp", .integer(now + 600)),
            ("jti", .string(Base64URL.encode(RandomSource.system.bytes(9)))),
            ("email", .string(try people.email(number).text)), ("email_verified", .bool(true)),
        ]
        return try signer.sign(Array(JSONOutput.object(claims).text().utf8))
    }
}
