import Foundation
import Glibc
import PosternTestSupport
import Testing

/// `/metrics` of a real daemon.
@Suite(.onAThreadOfItsOwn) struct MetricsPageTests {
    /// Debian's checker; unpacked by `make test-packages`, or installed.
    private static let promtool: URL? = [
        URL(filePath: "/usr/bin/promtool"), TestPaths.package.appending(path: ".build/promtool/usr/bin/promtool"),
    ].first { FileManager.default.isExecutableFile(atPath: $0.path) }

    private static func page(_ client: SocketClient) throws -> String {
        let reply = try client.ask("GET", "/metrics")
        #expect(reply.status == 200)
        return String(decoding: reply.body, as: UTF8.self)
    }

    /// A daemon that has seen a little of everything.
    private static func busy() throws -> (DaemonProcess, SocketClient) {
        let daemon = try DaemonIssuer.daemon(
            listeners: #"{"unix":"SOCKET","allow_users":["\#(getuid())"]},{"tcp":"127.0.0.1:0"}"#,
            more: #""limits":{"connections_per_peer":3}"#)
        let port = try #require(try daemon.wait(for: "listening", count: 2)["port"] as? Int)
        let client = try daemon.connect()
        let nonce = try client.nonce()
        for _ in 0..<2 { _ = try client.verify(DaemonIssuer.token(nonce), nonce) }
        _ = try client.ask("PUT", "/nothing?a=b")
        let bad = try SocketClient(port: port)
        try bad.write("GET / HTTP/1.1\r\n\r\n")
        #expect(try bad.reply().status == 400)
        let more = try (0..<2).map { _ in try SocketClient(unix: daemon.socket) }
        for client in more { #expect(try client.ask("GET", "/health/live").status == 200) }
        #expect(try SocketClient(unix: daemon.socket).reply().status == 429)
        return (daemon, client)
    }

    @Test func itTellsWhatHasHappened() throws {
        let (daemon, client) = try Self.busy()
        // The two others have gone once nobody holds them.
        var page = try Exposition(Self.page(client))
        until {
            (try? Exposition(Self.page(client))).map { page = $0 }
            return page.sum("postern_connections_open", ["listener": "0"]) == 1
        }
        #expect(page.sum("postern_connections_accepted_total", ["listener": "0"]) == 3)
        #expect(page.sum("postern_connections_accepted_total", ["listener": "1"]) == 1)
        #expect(page.sum("postern_connections_refused_total", ["listener": "0", "reason": "too_many"]) == 1)
        #expect(page.sum("postern_connections_refused_total") == 1)
        #expect(page.sum("postern_http_refused_requests_total", ["code": "host_missing"]) == 1)
        #expect(page.sum("postern_verdicts_total", ["provider": "test", "verdict": "accepted"]) == 1)
        #expect(page.sum("postern_verdicts_total", ["code": "nonce_used"]) == 1)
        #expect(page.sum("postern_nonces_redeemed_total") == 1)
        #expect(page.sum("postern_http_requests_in_flight") == 0)
        #expect(page.sum("postern_http_buffered_bytes") == 0)
        #expect(page.sum("postern_http_buffered_limit_bytes") == 2 * 67_108_864)
        #expect(page.sum("postern_key_set_state", ["state": "fresh"]) == 1)
        #expect(page.sum("postern_log_lines_lost_total") == 0)
        #expect(page.sum("postern_log_lines_total") >= 5)
        try Self.checkProcess(page, daemon)
    }

    private static func checkProcess(_ page: Exposition, _ daemon: DaemonProcess) throws {
        let build = try #require(page.samples("postern_build_info").first)
        #expect(build.value == 1 && build.label("openssl")?.hasPrefix("3.") == true)
        #expect(build.label("version")?.isEmpty == false && build.label("swift")?.hasPrefix("6.") == true)
        let age = Date().timeIntervalSince1970 - page.sum("process_start_time_seconds")
        #expect(age > -2 && age < 600)
        #expect((1_000_000..<1_000_000_000).contains(page.sum("process_resident_memory_bytes")))
        #expect((0.000001..<600).contains(page.sum("process_cpu_seconds_total")))
        let listed = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.identifier)/fd").count
        #expect(abs(page.sum("process_open_fds") - Double(listed)) <= 3)
        #expect(page.sum("process_max_fds") >= page.sum("process_open_fds"))
    }

    @Test(.enabled(if: MetricsPageTests.promtool != nil, "there is no promtool: make test-packages brings it"))
    func promtoolTakesIt() throws {
        let promtool = try #require(Self.promtool)
        let (daemon, client) = try Self.busy()
        defer { daemon.signal(SIGTERM) }
        let folder = try TemporaryFolder()
        func check(_ text: String) throws -> Invocation {
            let file = try folder.file(containing: Data(text.utf8))
            return try Invocation.run(
                promtool, ["check", "metrics"], input: FileHandle(forReadingFrom: file), environment: [:], output: nil)
        }
        let run = try check(Self.page(client))
        #expect(run.status == 0 && run.complaint.isEmpty, "\(run.text) \(run.complaint)")
        // It does look.
        #expect(try check("# HELP a_total b\n# TYPE a_total gauge\na_total 1\n").status != 0)
        #expect(try check("a{b=\"c} 1\n").status != 0)
    }

    private struct Row: Hashable {
        let name, type, labels, help: String
    }

    /// `Docs/Metrics.md` lists the page word for word.
    @Test func theListIsWhole() throws {
        let (daemon, client) = try Self.busy()
        defer { daemon.signal(SIGTERM) }
        let exposition = try Exposition(Self.page(client))
        let keeping = try AccountsDaemon.start(in: TemporaryFolder())
        defer { keeping.signal(SIGTERM) }
        let others = try Exposition(Self.page(SocketClient(unix: keeping.socket))).families
        let families =
            exposition.families
            + others.filter { other in
                !exposition.families.contains { $0.name == other.name }
            }
        let known = families.map { family in
            let labels = family.samples.first?.labels.map(\.name).filter { $0 != "le" } ?? []
            return Row(
                name: family.name, type: family.type, labels: labels.joined(separator: " "), help: family.help)
        }
        let file = try String(contentsOf: TestPaths.package.appending(path: "Docs/Metrics.md"), encoding: .utf8)
        let listed = file.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.components(separatedBy: " | ").map { $0.trimmingCharacters(in: ["|", " "]) }
            return Row(
                name: cells[0].replacingOccurrences(of: "`", with: ""), type: cells[1],
                labels: cells[2].replacingOccurrences(of: "`", with: ""), help: cells[3])
        }
        // Of what has no series at the moment the labels are not on the page.
        let without = Set(exposition.families.filter(\.samples.isEmpty).map(\.name))
        #expect(without == ["postern_key_set_age_seconds", "postern_key_set_expiry_seconds"])
        func comparable(_ row: Row) -> Row {
            Row(name: row.name, type: row.type, labels: without.contains(row.name) ? "" : row.labels, help: row.help)
        }
        #expect(Set(listed.map(comparable)).symmetricDifference(known).isEmpty)
        #expect(listed.count == known.count)
    }

    /// Each metric that the example alerts ask for is one of ours.
    @Test func theAlertsAskForWhatThereIs() throws {
        let (daemon, client) = try Self.busy()
        defer { daemon.signal(SIGTERM) }
        let names = Set(try Exposition(Self.page(client)).families.map(\.name))
        let file = try String(contentsOf: TestPaths.package.appending(path: "Docs/Metrics.md"), encoding: .utf8)
        let block = try #require(file.components(separatedBy: "```yaml\n").dropFirst().first)
        let rules = block.components(separatedBy: "```")[0]
        let asked = rules.matches(of: /\b(postern|process)_[a-z_]+/).map { match in
            String(match.output.0).replacing(/_(bucket|sum|count)$/, with: "")
        }
        #expect(asked.count > 8 && Set(asked).isSubset(of: names), "\(Set(asked).subtracting(names))")
        guard let promtool = Self.promtool else { return }
        let path = try TemporaryFolder()
        let rulesFile = try path.file(containing: Data(rules.utf8), called: "rules.yml")
        let run = try Invocation.run(
            promtool, ["check", "rules", rulesFile.path], input: .nullDevice, environment: [:], output: nil)
        #expect(run.status == 0, "\(run.text) \(run.complaint)")
    }

    /// The block of `Docs/Metrics.md` whose first line begins so.
    private static func block(_ beginning: String) throws -> String {
        try #require(
            try DocumentBlock.all().first { $0.file == "Docs/Metrics.md" && $0.firstLine.hasPrefix(beginning) }
        ).text
    }

    /// The listener that the page gives to Prometheus is one, beside that of the backends.
    @Test func theListenerIsTaken() throws {
        let listener = try Self.block("{ \"tcp\"")
        func check(_ listener: String) throws -> Invocation {
            let folder = try TemporaryFolder()
            let settings = DaemonIssuer.settings(
                try DaemonIssuer.provider(in: folder), listeners: #"{"unix":"/nonexistent/p.sock"},"# + listener)
            let file = try folder.file(containing: Data(settings.utf8), called: "settings.json")
            return try Invocation.run(["check-config", "--config", file.path])
        }
        let run = try check(listener)
        #expect(run.status == 0 && run.text.hasSuffix(SettingsRun.areGood), "\(run.text)\(run.complaint)")
        // It does look.
        #expect(try check(listener.replacingOccurrences(of: ":9711", with: ":97110")).status == 1)
        #expect(try check(listener.replacingOccurrences(of: "operations", with: "metrics")).status == 1)
    }

    /// Prometheus asks where the listener is, and takes these settings.
    @Test func theScrapingIsTaken() throws {
        let listener = try JSONSerialization.jsonObject(with: Data(Self.block("{ \"tcp\"").utf8)) as? [String: Any]
        let address = try #require(listener?["tcp"] as? String)
        let scraping = try Self.block("scrape_configs:")
        #expect(scraping.contains("targets: [\"\(address)\"]"), "\(scraping)")
        guard let promtool = Self.promtool else { return }
        func check(_ text: String) throws -> Invocation {
            let folder = try TemporaryFolder()
            let file = try folder.file(containing: Data(text.utf8), called: "prometheus.yml")
            return try Invocation.run(
                promtool, ["check", "config", file.path], input: .nullDevice, environment: [:], output: nil)
        }
        let run = try check(scraping)
        #expect(run.status == 0, "\(run.text) \(run.complaint)")
        // It does look.
        #expect(try check(scraping.replacingOccurrences(of: "targets", with: "target")).status != 0)
    }
}
