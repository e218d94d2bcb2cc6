import Foundation
import Glibc
import PosternTestSupport
import Testing

/// `postern events`, `Docs/Output.md` and what a daemon tells are the same.
@Suite(.onAThreadOfItsOwn) struct EventListTests {
    private struct Row: Hashable {
        let event, level, members, meaning: String
    }

    private static func known() throws -> [Row] {
        let json = try Invocation.run(["events", "--format", "json"]).json()
        return try #require(json["events"] as? [[String: Any]]).map {
            Row(
                event: $0["event"] as? String ?? "", level: $0["level"] as? String ?? "",
                members: ($0["members"] as? [String] ?? []).joined(separator: " "),
                meaning: $0["meaning"] as? String ?? "")
        }
    }

    @Test func theListIsWhole() throws {
        let known = try Self.known()
        #expect(known.count > 15 && Set(known.map(\.event)).count == known.count)
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Output.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("`postern serve`") })
        let listed = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.components(separatedBy: " | ").map { $0.trimmingCharacters(in: ["|", " "]) }
            return Row(
                event: cells[0].replacingOccurrences(of: "`", with: ""), level: cells[1],
                members: cells[2].replacingOccurrences(of: "`", with: ""), meaning: cells[3])
        }
        #expect(Set(listed).symmetricDifference(known).isEmpty)
        #expect(listed.count == known.count)
    }

    /// Every line is an event of the list with members of it, behind a time to the millisecond and its level.
    static func check(_ log: String) throws {
        let known = try Dictionary(uniqueKeysWithValues: known().map { ($0.event, $0) })
        for line in log.components(separatedBy: "\n") where line.hasPrefix("{") {
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let members = try #require(json as? [String: Any])
            let row = try #require((members["event"] as? String).flatMap { known[$0] }, "\(line)")
            #expect(members["level"] as? String == row.level)
            let time = try #require(members["time"] as? String)
            #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
            let own = Set(members.keys).subtracting(["time", "level", "event"])
            #expect(own.isSubset(of: row.members.components(separatedBy: " ")), "\(line)")
        }
    }

    /// A start that fails once the settings are good is told in one line, whatever the level; to a terminal it is told as text.
    @Test(arguments: ["in_use", "unsafe", "system", "invalid"])
    func failedStarts(_ code: String) throws {
        let folder = try TemporaryFolder()
        let shared = folder.url.appendingPathComponent("shared").path
        guard mkdir(shared, 0o700) == 0, chmod(shared, 0o777) == 0 else { throw DaemonFailure(text: shared) }
        let other = try DaemonIssuer.daemon()
        try other.wait(for: "listening")
        let listeners = [
            "in_use": #"{"unix":"\#(other.socket)"}"#, "unsafe": #"{"unix":"\#(shared)/p.sock"}"#,
            "system": SettingsRun.unix, "invalid": #"{"inherited":0,"doors":[]}"#,
        ]
        let settings = DaemonIssuer.settings(
            try DaemonIssuer.provider(in: folder), listeners: listeners[code] ?? "", more: #""log":{"level":"error"}"#)
        let file = try folder.file(containing: Data(settings.utf8), called: "settings.json").path
        let run = try Invocation.run(["serve", "--config", file])
        try Self.check(run.complaint)
        let lines = run.complaint.split(separator: "\n")
        let line = try JSONSerialization.jsonObject(with: Data(run.complaint.utf8)) as? [String: Any]
        #expect(run.status == 2 && lines.count == 1 && run.text.isEmpty, "\(run.complaint)")
        #expect(line?["event"] as? String == "start_failed" && line?["code"] as? String == code)
        let start = "\(file):"
        let message = line?["message"] as? String ?? ""
        #expect(message.hasPrefix(start) && message.contains("listeners[0] cannot be opened"), "\(message)")
        let terminal = try Invocation.shell(#"script -qec "$0 serve --config $1" /dev/null < /dev/null"#, [file])
        #expect(
            terminal.text.contains("postern: \(start)") && !terminal.text.contains("start_failed"), "\(terminal.text)")
    }

    /// Below the level nothing is told, and what is wrong with the settings of the log is told with its place.
    @Test func levels() throws {
        let quiet = try DaemonIssuer.daemon(
            listeners: #"{"unix":"SOCKET"},{"tcp":"127.0.0.1:0"}"#, more: #""log":{"level":"warning"}"#)
        try quiet.wait(for: "no_doors")
        let client = try SocketClient(unix: quiet.socket)
        #expect(try client.ask("GET", "/nothing").status == 404)
        quiet.signal(SIGTERM)
        #expect(quiet.end() == 0)
        #expect(!quiet.log.contains(#""level":"info""#))
        try Self.check(quiet.log)
        for (log, words) in [
            (#"{"level":"debug"}"#, "log.level must be one of info, warning, error, not"),
            (#"{"requests":"some"}"#, "log.requests must be one of none, failed, all, not"),
            (#"{"level":"error","requests":"all"}"#, "log.requests has no meaning with this level"),
            (#"{"levels":"info"}"#, "there is no setting"),
        ] {
            let bad = try DaemonIssuer.daemon(more: #""log":\#(log)"#)
            #expect(bad.end() == 2)
            _ = try bad.wait("no \(words)") { lines in
                lines.first { $0.contains("settings.json:") && $0.contains(words) }
            }
        }
    }
}
