import CSodium
import Glibc
import PosternAccounts
import PosternPasswords

/// Sign-ins by password with hashes of the usual cost, by the processor time of the whole process: the store's threads and the pool's too.
struct AccountsPasswordBench {
    private static let right = "correct horse battery staple"
    private static let wrong = "correct horse battery stapler"
    private static let countPerSlice = 5

    private let folder: BenchFolder
    private let people: AccountsPeople
    private let hash: String

    init() async throws {
        guard let password = Password(Self.right) else { throw HTTPLoad.Failure(what: "no password") }
        hash = try Argon2idHasher().hash(password.normalized()).text
        folder = try BenchFolder()
        people = AccountsPeople(count: 400, hash: hash)
        try await people.fill(folder.data)
    }

    // MARK: - Signing in

    /// Prints `accounts, sign-in  12.90 ms CPU  raw Argon2id 12.50 ms  ratio 1.03 (1.01-1.06)`.
    func signIn(rounds: Int) async throws {
        let place = try await AccountsPlace(folder.data, hasher: Argon2idHasher())
        let order = people.order((rounds + 1) * Self.countPerSlice, seed: 0)
        var client = try PasswordClient(place.accounts, people, Self.right, order[...])
        var (ours, limits) = ([Double](), [Double]())
        for round in 0...rounds {
            var (own, limit) = (0.0, 0.0)
            for _ in 0..<Self.countPerSlice {
                own += try await Self.cost { try await client.ask() }
                limit += try await Self.cost { try hashAlone() }
            }
            guard round > 0 else { continue }
            ours.append(own / Double(Self.countPerSlice) * 1e3)
            limits.append(limit / Double(Self.countPerSlice) * 1e3)
        }
        await place.close()
        print(
            "accounts, sign-in  \(Measurement.fixed(Spread(ours).median)) ms CPU  "
                + "raw Argon2id \(Measurement.fixed(Spread(limits).median)) ms  "
                + "ratio \(Spread(zip(ours, limits).map { $0 / $1 }))")
    }

    private func hashAlone() throws {
        guard crypto_pwhash_str_verify(hash, Self.right, UInt64(Self.right.utf8.count)) == 0 else {
            throw HTTPLoad.Failure(what: "libsodium")
        }
    }

    private static func cost(_ work: () async throws -> Void) async throws -> Double {
        let start = BenchProcess.cpuTime()
        try await work()
        return BenchProcess.cpuTime() - start
    }

    // MARK: - Who has an account

    /// As somebody would who has a list of addresses: each is tried once, with a wrong password, known and unknown ones in turn.
    ///
    /// With `POSTERN_TIMING_LIMIT` set a greater difference, in hundredths, is an error. What else the machine does may make one at times, so then
    /// the middle one of three counts.
    func unknown(tries: Int) async throws {
        let limit = getenv("POSTERN_TIMING_LIMIT").flatMap { Double(String(cString: $0)) }
        var differences = [try await difference(tries)]
        guard let limit, abs(differences[0]) * 100 > limit else { return }
        for _ in 0..<2 { differences.append(try await difference(tries)) }
        guard abs(Spread(differences).median) * 100 > limit else { return }
        throw HTTPLoad.Failure(what: "an unknown address can be told from a known one by the time it takes")
    }

    /// Prints `accounts, unknown address  known 12.90 ms CPU  unknown 12.91 ms  difference +0.05 % (-0.20 to +0.31)`, of so many tries each.
    private func difference(_ tries: Int) async throws -> Double {
        let place = try await AccountsPlace(folder.data, hasher: Argon2idHasher())
        let nobody = AccountsPeople(count: 400, hash: hash)
        guard let password = Password(Self.wrong) else { throw HTTPLoad.Failure(what: "no password") }
        var (known, unknown) = ([Double](), [Double]())
        for number in 0..<min(tries, people.count) {
            let emails = [try people.email(number), try nobody.email(number + people.count)]
            // Each comes first every other time.
            for turn in [number % 2, 1 - number % 2] {
                let cost = try await Self.cost { try await refused(place.accounts, emails[turn], password) }
                if turn == 0 { known.append(cost * 1e3) } else { unknown.append(cost * 1e3) }
            }
        }
        await place.close()
        let bootstrap = MedianDifference(unknown, known)
        let base = Spread(known).median
        let (least, greatest) = bootstrap.interval
        print(
            "accounts, unknown address  known \(Measurement.fixed(base)) ms CPU  "
                + "unknown \(Measurement.fixed(Spread(unknown).median)) ms  "
                + "difference \(AccountsBench.percent(bootstrap.value / base)) % "
                + "(\(AccountsBench.percent(least / base)) to \(AccountsBench.percent(greatest / base)))")
        return bootstrap.value / base
    }

    private func refused(_ accounts: Accounts, _ email: EmailAddress, _ password: Password) async throws {
        do throws(AccountError) {
            _ = try await accounts.signIn(email: email, password: password, visitor: AccountsPlace.visitor)
        } catch {
            if case .refused(let refusal) = error, refusal.code == .invalidCredentials { return }
            throw error
        }
        throw HTTPLoad.Failure(what: "a wrong password was taken")
    }
}

/// How far the medians of two samples lie apart, and within what bounds in 95 of 100 samples drawn from them (bootstrap).
struct MedianDifference {
    private static let samples = 2_000

    let value: Double
    let interval: (Double, Double)

    init(_ one: [Double], _ other: [Double]) {
        value = Spread(one).median - Spread(other).median
        var turn = 0
        func drawn(_ values: [Double]) -> Double {
            Spread(
                values.map { _ in
                    turn += 1
                    return values[Int(AccountsPeople.mixed(turn, 9) % UInt64(values.count))]
                }
            ).median
        }
        let spread = Spread((0..<Self.samples).map { _ in drawn(one) - drawn(other) })
        interval = (spread.quantile(0.025), spread.quantile(0.975))
    }
}
