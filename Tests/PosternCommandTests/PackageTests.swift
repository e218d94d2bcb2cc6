import Foundation
import PosternTestSupport
import Testing

/// What the Debian package brings along; `make test-deb` installs it.
@Suite struct PackageTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: TestPaths.package.appending(path: path), encoding: .utf8)
    }

    private func complaint(_ settings: String) throws -> String {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(settings.utf8), called: "postern.conf")
        let run = try Invocation.run(["serve", "--config", file.path], environment: ["HOME": folder.url.path])
        #expect(run.status == 2)
        return run.complaint
    }

    /// As installed they lack a provider; with the one that is commented out they lack the socket of systemd alone.
    @Test func theSettingsWaitForAProvider() throws {
        let settings = try Self.text("Sources/Packaging/postern.conf")
        #expect(try complaint(settings).contains("postern.conf:2:1: providers is missing"))
        let edited = settings.replacingOccurrences(of: #"// "providers""#, with: #""providers""#)
        #expect(edited != settings)
        #expect(try complaint(edited).contains("listeners[0] cannot be opened (invalid)"))
    }

    @Test func theSettingsOfTheDocumentAreSettings() throws {
        let blocks = try Self.text("Docs/Operating.md").components(separatedBy: "```json\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(blocks.count == 2)
        // The master key is what systemd hands over.
        #expect(try complaint(blocks[0]).contains("accounts.master_key_credential needs a service manager"))
        #expect(try complaint(blocks[1]).contains("listeners[0] cannot be opened (invalid)"))
    }

    /// `Docs/Operating.md` says where everything is, and nothing of what is not there.
    @Test func everyFileIsInTheDocument() throws {
        let files = try Self.text("Tests/Packaging/contents.txt").split(separator: "\n").compactMap {
            $0.split(separator: " ").last.map(String.init)
        }
        let rows = try Self.text("Docs/Operating.md").components(separatedBy: "\n").filter { $0.hasPrefix("| `/") }
        let paths = rows.compactMap { row in row.components(separatedBy: "`").dropFirst().first }
        let made: Set = [
            "/run/postern/postern.sock", "/var/cache/postern", "/var/lib/postern", "/etc/credstore/postern.master-key",
        ]
        #expect(files.count > 10 && paths.count > 10)
        for file in files { #expect(paths.contains { file == $0 || file.hasPrefix("\($0)/") }, "\(file)") }
        for path in paths where !made.contains(path) {
            #expect(files.contains { $0 == path || $0.hasPrefix("\(path)/") }, "\(path)")
        }
    }

    /// Pages that installed ones and the command name are installed too, but for those about the making of it.
    @Test func everyPageThatIsNamedIsThere() throws {
        let pages = try Self.text("Tests/Packaging/contents.txt").split(separator: "\n").compactMap { line in
            line.split(separator: "/").last.flatMap { $0.hasSuffix(".md.gz") ? String($0.dropLast(3)) : nil }
        }
        let script = try Self.text("Sources/Packaging/build.sh")
        let packed = script.split(separator: "\n").first { $0.hasPrefix("for page in ") }?.dropFirst(12).dropLast(4)
        #expect(Set(packed?.split(separator: " ").map { "\($0).md" } ?? []) == Set(pages))
        let elsewhere: Set = ["Performance.md", "Decisions.md"]
        var named: Set<String> = []
        for page in pages {
            for match in try Self.text("Docs/\(page)").matches(of: /\]\(([A-Za-z-]+\.md)/) {
                named.insert(String(match.output.1))
            }
        }
        for page in ["postern", "postern.conf"] {
            let text = try Invocation.run(["manual", page]).text.replacingOccurrences(of: "\\-", with: "-")
            for match in text.matches(of: /([A-Za-z-]+\.md)/) { named.insert(String(match.output.1)) }
        }
        #expect(named.contains("Settings.md") && named.contains("Issuer.md") && named.contains("Output.md"))
        #expect(named.subtracting(pages).subtracting(elsewhere).isEmpty, "\(named.subtracting(pages))")
    }

    /// systemd waits longer than the daemon does unless its settings say otherwise, and hides from it nobody who calls.
    @Test func theUnitFitsTheDaemon() throws {
        let unit = try Self.text("Sources/Packaging/postern.service").components(separatedBy: "\n")
        #expect(unit.contains("TimeoutStopSec=40") && unit.contains("Type=notify"))
        #expect(!unit.contains { $0.hasPrefix("PrivateUsers=") || $0.hasPrefix("RuntimeDirectory=") })
        // Each line of the log is the daemon's own.
        #expect(unit.contains("Environment=LIBDISPATCH_LOG=NO"))
        #expect(unit.contains("ExecStart=/usr/bin/postern serve --config /etc/postern/postern.conf"))
        let reload = unit.filter { $0.hasPrefix("ExecReload=") }
        #expect(
            reload == [
                "ExecReload=/usr/bin/postern check-config --config /etc/postern/postern.conf",
                "ExecReload=/bin/sh -c 'kill -HUP $MAINPID'",
            ])
        let socket = try Self.text("Sources/Packaging/postern.socket")
        #expect(socket.contains("\nListenStream=/run/postern/postern.sock\n") && socket.contains("\nSocketMode=0660\n"))
    }
}
