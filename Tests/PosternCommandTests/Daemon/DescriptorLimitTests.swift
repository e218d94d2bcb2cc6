import Foundation
import Testing

/// What the system allows the daemon to have open, and what happens when that is not enough.
@Suite(.onAThreadOfItsOwn) struct DescriptorLimitTests {
    /// Starts the daemon with these limits of descriptors (`ulimit -S`, `-H`).
    private func daemon(soft: Int, hard: Int, _ more: String) throws -> DaemonProcess {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("p.sock").path
        let settings = try DaemonIssuer.settings(
            DaemonIssuer.provider(in: folder), listeners: #"{"unix":"\#(path)"}"#, more: more)
        let file = try folder.file(containing: Data(settings.utf8), called: "settings.json")
        let script = #"ulimit -Sn \#(soft) && ulimit -Hn \#(hard) && exec "$0" "$@""#
        return try DaemonProcess(
            command: ["/bin/sh", "-c", script, Invocation.program.path, "serve", "--config", file.path], in: folder)
    }

    private func limit(_ daemon: DaemonProcess) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(daemon.identifier)/limits", encoding: .utf8)
        let line = try #require(text.components(separatedBy: "\n").first { $0.hasPrefix("Max open files") })
        return try #require(line.split(whereSeparator: { $0 == " " }).compactMap { Int($0) }.first)
    }

    /// The line that says why it did not start.
    private func complaint(_ daemon: DaemonProcess) throws -> String {
        let line = try daemon.wait("no reason") { lines in lines.first { $0.contains("limits.connections") } }
        #expect(daemon.end() == 2)
        return line
    }

    @Test func theDaemonRaisesItsLimit() throws {
        let daemon = try daemon(soft: 64, hard: 1_024, #""limits":{"connections":500,"threads":2}"#)
        let client = try daemon.connect()
        #expect(try client.ask("GET", "/health/live").status == 200)
        let raised = try limit(daemon)
        #expect((501...1_024).contains(raised))
        // More connections than the old limit had descriptors.
        let clients = try (0..<100).map { _ in try daemon.connect() }
        for client in clients { #expect(try client.ask("GET", "/health/live").status == 200) }
    }

    @Test func aLimitThatIsHighEnoughIsLeftAlone() throws {
        let daemon = try daemon(soft: 900, hard: 1_024, #""limits":{"connections":500,"threads":2}"#)
        try daemon.wait(for: "listening")
        #expect(try limit(daemon) == 900)
    }

    /// What does not fit refuses the start with the figure that would; with that figure it starts.
    @Test func whatDoesNotFitRefusesTheStart() throws {
        let refused = try daemon(soft: 512, hard: 512, #""limits":{"connections":500,"threads":2}"#)
        let log = try complaint(refused)
        #expect(log.contains("limits.connections is 500, and "))
        #expect(log.contains("the system allows 512"))
        let figure = try #require(log.firstMatch(of: /set it to at most (\d+)/)?.output.1)
        let most = try #require(Int(figure))
        let started = try daemon(soft: 512, hard: 512, #""limits":{"connections":\#(most),"threads":2}"#)
        #expect(try started.connect().ask("GET", "/health/live").status == 200)
        #expect(try daemon(soft: 512, hard: 512, #""limits":{"connections":\#(most + 1),"threads":2}"#).end() == 2)
    }

    /// What is not said does not fit either, and the message still names the setting.
    @Test func theStandardIsNamedToo() throws {
        for more in [#""limits":{"threads":2}"#, #""nonces":{}"#] {
            let refused = try daemon(soft: 512, hard: 512, more)
            #expect(try complaint(refused).contains("limits.connections is 16384"))
        }
    }

    @Test func aSystemThatAllowsNextToNothingGetsNoFigure() throws {
        let refused = try daemon(soft: 40, hard: 40, #""limits":{"connections":1,"threads":2}"#)
        let log = try complaint(refused)
        #expect(log.contains("limits.connections is 1, and "))
        #expect(!log.contains("at most"))
    }
}
