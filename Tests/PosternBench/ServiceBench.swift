import Glibc
import PosternBase
import PosternCrypto
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternService
import PosternTokens

/// What the service adds to a verification, without sockets: CPU time of a request beyond the verifier's own and beyond the raw
/// signature.
struct ServiceBench {
    private struct Keys: ReportingKeySource {
        let set: KeySet
        let status: KeySetStatus

        func current() -> KeySet? { set }
        func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet { set }
    }

    private let good: BenchToken
    private let raw: RawVerification
    private let service: Service
    private let one: ReceivedRequest
    private let keyed: ReceivedRequest
    private let many: ReceivedRequest
    private let malformed: ReceivedRequest
    private static let manyCount = 64

    init() throws {
        good = try BenchToken.good(.rs256)
        raw = try RawVerification(good.token, good.key.publicKey)
        let set = KeySet(keys: [
            try VerificationKey(good.key.publicKey, keyID: BenchToken.keyID, declaredAlgorithm: .rs256)
        ])
        let keys = Keys(set: set, status: KeySetStatus(freshness: .fresh, usableKeys: set.usable))
        let verifier = try TokenVerifier(good.verifier.provider, keys: keys, time: .fixed(BenchToken.issuedAt + 1))
        let apiKey = APIKeys.random()
        let entry = APIKeys.Entry(name: "bench", digest: APIKeys.digest(of: apiKey) ?? [])
        service = try Service(
            providers: [ServedProvider(verifier, keys: keys)],
            nonces: nil,
            listeners: [ListenerRules(doors: [.native])],
            keys: APIKeys([entry].compactMap(\.self)),
            limit: CallerLimiter.Rate(perSecond: 1_000_000, burst: 1_000_000)
        )
        let order = #"{"token":"\#(String(decoding: good.token, as: UTF8.self))","nonce":"\#(BenchToken.rawNonce)"}"#
        let list = Array(repeating: order, count: Self.manyCount).joined(separator: ",")
        one = Self.request(order)
        keyed = Self.request(order, [("Authorization", "Bearer \(apiKey.revealed)")], .address("127.0.0.1", port: 4711))
        many = Self.request("{\"tokens\":[\(list)]}")
        malformed = Self.request(#"{"token":"x"}"#)
    }

    private static func request(
        _ body: String,
        _ fields: [(String, String)] = [],
        _ peer: Peer = .process(user: 0, group: 0, process: 1)
    ) -> ReceivedRequest {
        var all = HTTP.Fields()
        let usual = [
            ("Host", "postern"), ("Content-Type", "application/json"), ("Content-Length", "\(body.utf8.count)"),
        ]
        for (name, value) in usual + fields { all.append(name, value) }
        return ReceivedRequest(
            method: "POST", path: "/v1/verify", fields: ReceivedFields(all), body: Array(body.utf8), peer: peer)
    }

    func run(rounds: Int) async throws {
        var times: [String: [Double]] = [:]
        for round in 0...max(rounds, 1) {
            let all = [
                ("raw", try cost(raw.verify)), ("verifier", try cost(good.verify)), ("one", try await cost(one)),
                ("keyed", try await cost(keyed)), ("malformed", try await cost(malformed)),
                ("many", try await cost(many, count: 4) / Double(Self.manyCount)),
            ]
            for (name, time) in all where round > 0 { times[name, default: []].append(time) }
        }
        let median = times.mapValues { $0.sorted()[$0.count / 2] }
        func text(_ name: String, less other: String) -> String {
            Measurement.fixed((median[name] ?? 0) - (median[other] ?? 0))
        }
        print(
            "service, one token  \(Measurement.fixed(median["one"] ?? 0)) µs  beyond the signature \(text("one", less: "raw")) µs  "
                + "beyond the verifier \(text("one", less: "verifier")) µs"
        )
        print("service, one token, API key  beyond the verifier \(text("keyed", less: "verifier")) µs")
        print("service, no token at all  \(Measurement.fixed(median["malformed"] ?? 0)) µs")
        print(
            "service, one of \(Self.manyCount)  beyond the signature \(text("many", less: "raw")) µs  "
                + "ratio \(Measurement.fixed((median["raw"] ?? 0) / (median["many"] ?? 1)))"
        )
    }

    func profile(_ count: Int, lists: Bool) async throws {
        for _ in 0..<count { _ = await service.respond(to: lists ? many : one) }
    }

    /// Microseconds of CPU time, a call.
    private func cost(_ work: () throws -> Void) throws -> Double {
        var count = 0
        let start = Measurement.cpuTime()
        while Measurement.cpuTime() - start < 0.05 {
            for _ in 0..<64 { try work() }
            count += 64
        }
        return (Measurement.cpuTime() - start) / Double(count) * 1e6
    }

    private func cost(_ request: ReceivedRequest, count batch: Int = 64) async throws -> Double {
        var count = 0
        let start = ServiceBench.processTime()
        while ServiceBench.processTime() - start < 0.05 {
            for _ in 0..<batch {
                guard await service.respond(to: request).status == 200 else { throw RawVerification.Failed() }
            }
            count += batch
        }
        return (ServiceBench.processTime() - start) / Double(count) * 1e6
    }

    /// A task may go on with another thread.
    private static func processTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
