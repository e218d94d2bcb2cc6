import Foundation
import PosternBase
import PosternHTTP
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

/// Which requests are told, and what of them.
@Suite struct RequestLogTests {
    /// A service whose lines the test reads.
    private struct Bench {
        let lines = Lock<[String]>([])
        let log: RequestLog
        let service: Service
        let second = Lock(Int64(1_000))

        init(_ wanted: LoggedRequests, keys: ScriptedKeys? = nil) throws {
            let lines = lines
            log = RequestLog(wanted) { event, members in
                lines.withLock { $0.append(event.line(time: "t", members)) }
            }
            let nonces = try IssuedNonces(capacity: 100, time: .fixed(TestService.now))
            let second = second
            service = try Service(
                providers: [try TestService.apple(keys: keys, nonces: nonces)], nonces: nonces,
                listeners: [ListenerRules(doors: [.native, .operations])], keys: TestService.keys, log: log,
                time: TimeSource { second.withLock { $0 } })
        }

        func send(
            _ method: String,
            _ path: String,
            _ body: String = "",
            key: String? = nil,
            query: String? = nil
        ) async -> Int {
            var fields = HTTP.Fields()
            fields.append("Content-Type", "application/json")
            fields.append("X-Request-Id", "id-1")
            if let key { fields.append("Authorization", "Bearer \(key)") }
            let request = ReceivedRequest(
                method: method, path: path, query: query, fields: ReceivedFields(fields), body: Array(body.utf8),
                peer: key == nil ? TestService.peer : TestService.address)
            return await service.respond(to: request).status
        }

        var told: [[String: Any]] {
            lines.withLock { $0 }.compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
            }
        }
    }

    private static func order(_ nonce: String = TestToken.rawNonce, _ more: String = "") throws -> String {
        #"{"token":"\#(try TestToken().signed())","nonce":"\#(nonce)"\#(more)}"#
    }

    @Test(arguments: [(LoggedRequests.none, 0), (.failed, 4), (.all, 7)])
    func whichAreTold(wanted: LoggedRequests, count: Int) async throws {
        let bench = try Bench(wanted)
        _ = await bench.send("GET", "/health/live")
        _ = await bench.send("POST", "/v1/nonces")
        _ = try await bench.send("POST", "/v1/verify", Self.order())
        _ = try await bench.send("POST", "/v1/verify", Self.order("other"))
        _ = try await bench.send("POST", "/v1/verify", #"{"tokens":[\#(Self.order()),\#(Self.order("other"))]}"#)
        _ = await bench.send("GET", "/secret-path", query: "secret-query")
        _ = await bench.send("POST", "/v1/verify", "secret-body")
        #expect(bench.told.count == count)
        #expect(bench.told.allSatisfy { $0["event"] as? String == "request" && $0["level"] as? String == "info" })
        #expect(!bench.lines.withLock { $0.joined() }.contains("secret"))
    }

    @Test func whatIsToldOfARefusal() async throws {
        let bench = try Bench(.failed)
        #expect(try await bench.send("POST", "/v1/verify", Self.order("other")) == 200)
        let line = try #require(bench.told.first)
        #expect(line["request_id"] as? String == "id-1")
        #expect(line["route"] as? String == "/v1/verify" && line["method"] as? String == "POST")
        #expect(line["status"] as? Int == 200 && line["listener"] as? Int == 0)
        #expect(line["code"] as? String == "nonce_mismatch" && line["provider"] as? String == "apple")
        #expect(line["user"] as? Int == 1000 && line["api_key"] == nil)
        #expect(line["refused"] as? Int == 1 && line["accepted"] as? Int == 0)
        #expect((line["microseconds"] as? Int).map { $0 >= 0 } == true)
    }

    /// A caller over TCP is the name of its key.
    @Test func callersAreToldByTheNamesOfTheirKeys() async throws {
        let bench = try Bench(.all)
        #expect(try await bench.send("POST", "/v1/verify", Self.order(), key: TestService.key) == 200)
        #expect(try await bench.send("POST", "/v1/verify", Self.order(), key: "wrong-key") == 401)
        #expect(bench.told.map { $0["api_key"] as? String } == ["test", nil])
        #expect(bench.told.map { $0["code"] as? String } == [nil, "api_key_unknown"])
        #expect(bench.told.allSatisfy { $0["user"] == nil })
        #expect(!bench.lines.withLock { $0.joined() }.contains("wrong-key"))
    }

    @Test func listsAreToldByTheirCounts() async throws {
        let bench = try Bench(.failed)
        let orders = try [Self.order(), Self.order("other"), Self.order("b", #","explain":true"#)]
        #expect(await bench.send("POST", "/v1/verify", #"{"tokens":[\#(orders.joined(separator: ","))]}"#) == 200)
        let line = try #require(bench.told.first)
        #expect(line["accepted"] as? Int == 1 && line["refused"] as? Int == 2 && line["faults"] as? Int == 0)
        #expect(line["code"] == nil && line["provider"] == nil)
    }

    @Test func faultsAreTold() async throws {
        let bench = try Bench(.failed, keys: ScriptedKeys())
        #expect(try await bench.send("POST", "/v1/verify", Self.order()) == 503)
        let line = bench.told.first
        #expect(line?["code"] as? String == "keys_unavailable")
        #expect(line?["provider"] as? String == "apple")
        #expect(line?["faults"] as? Int == 1 && line?["accepted"] as? Int == 0 && line?["refused"] as? Int == 0)
    }

    /// It can be changed while requests come.
    @Test func itCanBeChanged() async throws {
        let bench = try Bench(.none)
        _ = await bench.send("GET", "/nothing")
        bench.log.set(.failed)
        _ = await bench.send("GET", "/nothing")
        bench.log.set(.all)
        _ = await bench.send("GET", "/health/live")
        bench.log.set(.none)
        _ = await bench.send("GET", "/nothing")
        #expect(bench.told.map { $0["status"] as? Int } == [404, 200])
    }

    /// Rubbish does not drown what else is told: so many lines a second, and how many are missing.
    @Test func failedOnesHaveABound() async throws {
        let bench = try Bench(.failed)
        for _ in 0..<250 { _ = await bench.send("GET", "/nothing") }
        #expect(bench.told.count == 100)
        bench.second.withLock { $0 += 1 }
        _ = await bench.send("GET", "/nothing")
        #expect(bench.told.count == 102)
        #expect(bench.told[100]["event"] as? String == "requests_not_logged")
        #expect(bench.told[100]["count"] as? Int == 150)
        // Who asks for all gets all.
        bench.log.set(.all)
        for _ in 0..<250 { _ = await bench.send("GET", "/nothing") }
        #expect(bench.told.count == 352)
    }
}
