// `make bench`: ours and the raw OpenSSL limit, in turn, by the CPU time of a thread.
// PosternBench [ROUNDS] [verify|parts|threads|memory|keys|service|http|store|hash]...; all of them, and accounts, unless some are named.
// PosternBench [ROUNDS] accounts [sign-in|unknown|refresh|growth|storm|daemon]... [COUNT] [PROGRAM]: accounts and sessions; those that need no
// daemon unless some are named. COUNT accounts are made for growth. With POSTERN_TIMING_LIMIT=2 unknown fails beyond 2 %.
// PosternBench [ROUNDS] server PROGRAM [start|one-thread|unix|unix-COUNT|tcp|lists|beside|idle]...: `make bench-server`, the daemon.
// PosternBench profile COUNT [RS256|ES256|EdDSA [raw]|service [lists]]: only our verifications, the limit's or our requests, for a profiler.
import Glibc
import PosternCrypto
import PosternJOSE

let arguments = Array(CommandLine.arguments.dropFirst())
let rounds = arguments.compactMap { Int($0) }.first ?? 9
let named = arguments.filter { Int($0) == nil }

do {
    if named.first == "accounts", let place = arguments.firstIndex(of: "accounts") {
        // Numbers that follow are of accounts.
        let rounds = arguments[..<place].compactMap { Int($0) }.first ?? 9
        try await AccountsBench(rounds: rounds, Array(arguments[(place + 1)...])).run()
        exit(0)
    }
    if named.first == "profile", named.contains("service") {
        try await ServiceBench().profile(rounds, lists: named.contains("lists"))
        exit(0)
    }
    if named.first == "server" {
        let program = named.dropFirst().first ?? ".build/release/postern"
        try ServerBench(program: program, rounds: rounds).run(Array(named.dropFirst(2)))
        exit(0)
    }
    if named.first == "profile" {
        let good = try BenchToken.good(named.compactMap { Algorithm(named: $0) }.first ?? .rs256)
        let raw = try RawVerification(good.token, good.key.publicKey)
        for _ in 0..<rounds { if named.contains("raw") { try raw.verify() } else { try good.verify() } }
        exit(0)
    }
    let all = named.isEmpty
    if all || named.contains("verify") { try VerifyBench.run(rounds: rounds) }
    if all || named.contains("parts") { try PartsBench.run(rounds: rounds) }
    if all || named.contains("threads") { try await ThreadBench.run(rounds: rounds) }
    if all || named.contains("memory") { try MemoryBench.run() }
    if all || named.contains("keys") { try await KeySourceBench().run() }
    if all || named.contains("service") { try await ServiceBench().run(rounds: rounds) }
    if all || named.contains("store") { try await StoreBench.run(rounds: rounds) }
    if all || named.contains("http") { try await HTTPBench.run(rounds: rounds) }
    if all || named.contains("hash") { try await HashBench.run(rounds: rounds) }
    if all { try await AccountsBench(rounds: min(rounds, 3)).run() }
} catch {
    print("bench failed: \(error)")
    exit(1)
}
