// `make bench`: ours and the raw OpenSSL limit, in turn, by the CPU time of this thread.
// PosternBench [ROUNDS] | PosternBench profile COUNT (only ours, for a profiler) | PosternBench keys
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    if arguments.first == "profile" {
        try RS256Bench().repeatOurs(arguments.last.flatMap { Int($0) } ?? 1000)
    } else if arguments.first == "keys" {
        try await KeySourceBench().run()
    } else {
        try RS256Bench().run(rounds: arguments.first.flatMap { Int($0) } ?? 9)
    }
} catch {
    print("bench failed: \(error)")
    exit(1)
}
