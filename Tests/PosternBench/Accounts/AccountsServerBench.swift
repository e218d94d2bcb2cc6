import Glibc
import PosternAccounts
import PosternBase
import PosternPasswords
import PosternService

/// The daemon with accounts, a process of its own, against closed loops in this one, which share the processors with it.
final class AccountsServerBench {
    private static let password = "correct horse battery staple"
    private static let refreshesPerRound = 6_000

    private let rounds: Int
    private let folder: BenchFolder
    private let people: AccountsPeople
    private let pool: TokenPool
    private let server: ServedProcess

    private var socket: ServerPlace { .unix(folder.path + "/s") }

    init(program: String, rounds: Int) async throws {
        self.rounds = rounds
        folder = try BenchFolder()
        pool = try TokenPool()
        guard let password = Password(Self.password) else { throw HTTPLoad.Failure(what: "no password") }
        let hash = try Argon2idHasher().hash(password.normalized()).text
        people = AccountsPeople(count: (rounds + 1) * Self.refreshesPerRound, hash: hash)
        try await people.fill(folder.data)
        let threads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let more = """

              "accounts": {
                "data": "\(folder.data)", "master_key_file": "\(folder.path)/master.key", "issuer": "\(AccountsPlace.issuer)",
                "passwords": { "enabled": true, "blocklist": ["none"] },
                "attempts": { "burst": 1000, "refill": 1 },
              },
            """
        let hashOfKey = Hex.encode(APIKeys.digest(of: APIKeys.random()) ?? [])
        try folder.write("keys.json", pool.keySet())
        try folder.write("master.key", AccountsPlace.secret + "\n")
        try folder.write(
            "settings.json",
            TokenPool.settings(folder: folder.path, apiKeyHash: hashOfKey, threads: threads, more: more))
        server = try ServedProcess(
            program, threads, settings: folder.path + "/settings.json", log: folder.path + "/log")
        close(try server.connect(.unix(folder.path + "/s")))
    }

    // The folder goes after the server.
    deinit { server.end() }

    private static func request(_ path: String, _ body: String) -> [UInt8] {
        Array(
            ("POST \(path) HTTP/1.1\r\nHost: postern\r\nContent-Type: application/json\r\nAccept: */*\r\n"
                + "User-Agent: bench\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8)
    }

    // MARK: - Refreshes

    /// Prints `accounts, daemon, refresh, unix, 64 connections  10400 (9900-11000)/s  p50 5.80 p99 12.00 ms  110.00 (105.00-118.00) us CPU`.
    ///
    /// Each is of another session of `people`, rotated and durable.
    func refreshes() throws {
        let tokens = try RefreshTokens(AccountsPlace.master())
        let requests = try people.order(people.count, seed: 1).map { number in
            let token = try tokens.token(people.session(number), counter: AccountsPeople.counter)
            return Self.request(
                "/v1/sessions/refresh",
                #"{"refresh_token":"\#(token)","client":{"user_agent":"\#(AccountsPeople.userAgent)","address":"192.0.2.7"}}"#
            )
        }
        let load = try HTTPLoad(socket, 64, requests, bodyStart: #"{"access_token":""#)
        var (rates, costs) = ([Double](), [Double]())
        for round in 0...rounds {
            if round == 1 { load.forgetLatencies() }
            let (begin, cpu) = (HTTPLoad.now(), try server.cpuTime())
            try load.run(Self.refreshesPerRound)
            guard round > 0 else { continue }
            rates.append(Double(Self.refreshesPerRound) / (HTTPLoad.now() - begin))
            costs.append((try server.cpuTime() - cpu) / Double(Self.refreshesPerRound) * 1e6)
        }
        let (spread, waits) = (Spread(rates), Spread(load.latencies.map { $0 * 1e3 }))
        print(
            "accounts, daemon, refresh, unix, 64 connections  "
                + "\(Int(spread.median)) (\(Int(spread.quantile(0)))-\(Int(spread.quantile(1))))/s  "
                + "p50 \(Measurement.fixed(waits.median)) p99 \(Measurement.fixed(waits.quantile(0.99))) ms  "
                + "\(Spread(costs)) us CPU")
    }

    // MARK: - Storm

    /// Prints `accounts, daemon, verify p99 in a storm of sign-ins  1.20 (1.00-1.50) ms  without 0.50 (0.40-0.60)  ratio 2.30 (1.90-2.90)  74.00 sign-ins/s`.
    func storm() throws {
        let verdicts = try HTTPLoad(socket, 8, pool.single(), bodyStart: #"{"verdict":"accepted""#)
        let signIns = try people.order(people.count, seed: 2).map { number in
            Self.request(
                "/v1/sessions", #"{"email":"\#(try people.email(number).text)","password":"\#(Self.password)"}"#)
        }
        var (with, without, rates) = ([Double](), [Double](), [Double]())
        for round in 0...max(rounds, 7) {
            let alone = try p99(verdicts)
            let load = try HTTPLoad(socket, 32, signIns, bodyStart: #"{"access_token":""#)
            let begin = HTTPLoad.now()
            let pressure = try BackgroundLoad(load)
            // Until hashes are being made.
            usleep(100_000)
            let beside = try p99(verdicts)
            let count = try pressure.end()
            guard round > 0 else { continue }
            without.append(alone)
            with.append(beside)
            rates.append(Double(count) / (HTTPLoad.now() - begin))
        }
        print(
            "accounts, daemon, verify p99 in a storm of sign-ins  \(Spread(with)) ms  without \(Spread(without))  "
                + "ratio \(Spread(zip(with, without).map { $0 / $1 }))  \(Spread(rates)) sign-ins/s")
    }

    private func p99(_ load: HTTPLoad) throws -> Double {
        load.forgetLatencies()
        try load.run(16_000)
        return Spread(load.latencies.map { $0 * 1e3 }).quantile(0.99)
    }
}
