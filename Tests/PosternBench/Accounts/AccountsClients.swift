import Glibc
import PosternAccounts
import PosternBase
import PosternLoop
import PosternPasswords
import PosternTokens

/// One who waits for each answer before it asks again.
protocol AccountsClient: Sendable {
    mutating func ask() async throws
}

/// How often the sessions of people were refreshed, from one run to the next.
final class RefreshCounters: Sendable {
    private let counters = Lock<[Int: Int64]>([:])

    subscript(number: Int) -> Int64 {
        get { counters.withLock { $0[number] ?? AccountsPeople.counter } }
        set { counters.withLock { $0[number] = newValue } }
    }
}

/// Refreshes the sessions of the people who are its own, in a random order.
struct RefreshingClient: AccountsClient {
    private let accounts: Accounts
    private let people: AccountsPeople
    private let counters: RefreshCounters
    private let tokens: RefreshTokens
    private let place: Int
    private let clients: Int
    private let seed: Int
    private var turn = 0

    /// - Parameters:
    ///   - place: which of how many clients.
    ///   - seed: each run has another order.
    init(
        _ accounts: Accounts,
        _ people: AccountsPeople,
        _ counters: RefreshCounters,
        place: Int,
        of clients: Int,
        seed: Int
    ) throws {
        (self.accounts, self.people, self.counters) = (accounts, people, counters)
        (self.place, self.clients, self.seed) = (place, clients, seed)
        tokens = try RefreshTokens(AccountsPlace.master())
    }

    mutating func ask() async throws {
        let choice = AccountsPeople.mixed(turn, UInt64(seed * 1_000 + place))
        let number = Int(choice % UInt64(max(people.count / clients, 1))) * clients + place
        turn += 1
        let counter = counters[number]
        let token = try tokens.token(people.session(number), counter: counter)
        let grant = try await accounts.refresh(token, visitor: AccountsPlace.visitor)
        guard grant.session.counter == counter + 1 else { throw HTTPLoad.Failure(what: "not rotated") }
        counters[number] = counter + 1
    }
}

/// Exchanges identity tokens that were made before.
struct ExchangingClient: AccountsClient {
    let accounts: Accounts
    let verifier: TokenVerifier
    var tokens: ArraySlice<String>

    mutating func ask() async throws {
        guard let token = tokens.popFirst() else { throw HTTPLoad.Failure(what: "no token is left") }
        let grant = try await accounts.exchange(
            token, nonce: nil, audience: nil, verifier: verifier, visitor: AccountsPlace.visitor)
        guard !grant.isNewAccount else { throw HTTPLoad.Failure(what: "a new account") }
    }
}

/// Signs people in by password.
struct PasswordClient: AccountsClient {
    private let accounts: Accounts
    private let people: AccountsPeople
    private let password: Password
    private var numbers: ArraySlice<Int>

    init(_ accounts: Accounts, _ people: AccountsPeople, _ password: String, _ numbers: ArraySlice<Int>) throws {
        guard let password = Password(password) else { throw HTTPLoad.Failure(what: "no password") }
        (self.accounts, self.people, self.password, self.numbers) = (accounts, people, password, numbers)
    }

    mutating func ask() async throws {
        guard let number = numbers.popFirst() else { throw HTTPLoad.Failure(what: "nobody is left") }
        _ = try await accounts.signIn(
            email: people.email(number), password: password, visitor: AccountsPlace.visitor)
    }
}

/// Clients at once, on as many threads as the daemon's connections have.
enum AccountsLoad {
    struct Outcome {
        let count: Int
        let seconds: Double
        /// Microseconds of all threads for each.
        let cpu: Double
        let waits: Spread

        var rate: Double { Double(count) / seconds }
    }

    /// Each client asks until so many seconds are over, or so many times; then `finish`, whose processor time counts too.
    static func run(
        _ clients: [any AccountsClient],
        seconds: Double = .infinity,
        each: Int = .max,
        finish: () async -> Void = {}
    ) async throws -> Outcome {
        let loops = try (0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map { _ in try EventLoop(name: "clients") }
        for loop in loops { try loop.start() }
        let (begin, cpuBegin) = (HTTPLoad.now(), BenchProcess.cpuTime())
        let end = begin + seconds
        let waits = try await withThrowingTaskGroup { group in
            for (place, client) in clients.enumerated() {
                group.addTask(executorPreference: loops[place % loops.count]) {
                    try await asking(client, until: end, each)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let elapsed = HTTPLoad.now() - begin
        await finish()
        let cpu = BenchProcess.cpuTime() - cpuBegin
        for loop in loops { await loop.end() }
        return Outcome(
            count: waits.count, seconds: elapsed, cpu: cpu / Double(max(waits.count, 1)) * 1e6, waits: Spread(waits))
    }

    /// Seconds that each answer took.
    private static func asking(_ client: any AccountsClient, until end: Double, _ most: Int) async throws -> [Double] {
        var client = client
        var waits: [Double] = []
        var last = HTTPLoad.now()
        while last < end, waits.count < most {
            try await client.ask()
            let now = HTTPLoad.now()
            waits.append(now - last)
            last = now
        }
        return waits
    }
}
