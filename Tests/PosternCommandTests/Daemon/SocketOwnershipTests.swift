import Foundation
import Glibc
import PosternTestSupport
import Testing

/// Whom a daemon that is not root's may give its sockets to.
@Suite struct SocketOwnershipTests {
    /// Runs the program as a user in two groups, neither of which is root's.
    private struct Other {
        static let user = 65_534
        static let groups = [65_533, 65_532]
        private static let setpriv = "/usr/bin/setpriv"

        static var canBeBecome: Bool { geteuid() == 0 && FileManager.default.isExecutableFile(atPath: setpriv) }

        /// A place that everybody can reach, with the program; a link will do where the file system is the same.
        static func folder() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            chmod(folder.url.path, 0o755)
            let copy = folder.url.appendingPathComponent("postern")
            if link(Invocation.program.path, copy.path) != 0 {
                try FileManager.default.copyItem(at: Invocation.program, to: copy)
            }
            return folder
        }

        static func checkConfig(_ listener: String, in folder: TemporaryFolder) throws -> Invocation {
            let settings = #"{"providers":[\#(SettingsRun.apple)],"listeners":[\#(listener)]}"#
            let file = try folder.file(containing: Data(settings.utf8), called: "settings.json")
            chmod(file.path, 0o644)
            return try Invocation.run(
                URL(fileURLWithPath: setpriv),
                [
                    "--reuid=\(user)", "--regid=\(groups[0])", "--groups=\(groups[1])",
                    folder.url.appendingPathComponent("postern").path, "check-config", "--config", file.path,
                ], input: .nullDevice, environment: [:], output: nil)
        }
    }

    private static let rows: [(members: String, message: String?)] = [
        ("", nil), (#","owner":"65534""#, nil), (#","mode":"0660","group":"65533""#, nil),
        // One that it is in besides its own.
        (#","mode":"0660","group":"65532""#, nil),
        (#","owner":"65534","mode":"0660","group":"65532""#, nil),
        (#","owner":"65531""#, "listeners[0].owner cannot be another user than that of the daemon, here 65534"),
        (#","owner":"root""#, "listeners[0].owner cannot be another user"),
        (#","mode":"0660","group":"65531""#, "listeners[0].group is one that the user 65534 is not in"),
        (#","mode":"0660","group":"root""#, "listeners[0].group is one that the user 65534 is not in"),
    ]

    @Test(.enabled(if: Other.canBeBecome, "only root can become another user, with setpriv"))
    func ofAnotherUser() throws {
        let folder = try Other.folder()
        for (members, message) in Self.rows {
            let run = try Other.checkConfig(#"{"unix":"/nonexistent/p.sock"\#(members)}"#, in: folder)
            #expect(run.status == (message == nil ? 0 : 1), "\(members): \(run.text)\(run.complaint)")
            if let message { #expect(run.text.contains(message), "\(run.text)") }
        }
    }

    /// The same for whoever runs the tests: root may give a socket to anybody.
    @Test func ofThisUser() throws {
        let others = [#","owner":"65531""#, #","mode":"0660","group":"65531""#]
        for members in others + [#","owner":"\#(geteuid())""#, #","mode":"0660","group":"\#(getegid())""#] {
            let settings = SettingsRun.good().replacingOccurrences(of: "p.sock\"", with: "p.sock\"\(members)")
            let isGood = geteuid() == 0 || !others.contains(members)
            #expect(try SettingsRun.run(["check-config"], settings).status == (isGood ? 0 : 1), "\(members)")
        }
    }
}
