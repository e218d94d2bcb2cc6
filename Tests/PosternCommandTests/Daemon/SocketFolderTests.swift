import Foundation
import Glibc
import PosternTestSupport
import Testing

@testable import PosternCommand

/// Whether somebody else could put a socket in the place of the daemon's: the folders above it, and the links on the way.
@Suite struct SocketFolderTests {
    private static let us = FileOwners(user: geteuid(), outsider: nil)

    /// `outer/inner` with those modes, and where a socket is to be in it.
    private static func make(_ outer: mode_t, _ inner: mode_t) throws -> (folder: TemporaryFolder, socket: String) {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
        let path = "\(folder.url.path)/outer"
        guard mkdir(path, 0o700) == 0, mkdir("\(path)/inner", 0o700) == 0, chmod("\(path)/inner", inner) == 0,
            chmod(path, outer) == 0
        else { throw DaemonFailure(text: path) }
        return (folder, "\(path)/inner/p.sock")
    }

    private static let modes: [(outer: mode_t, inner: mode_t, fault: String?)] = [
        (0o755, 0o750, nil), (0o755, 0o700, nil), (0o755, 0o755, nil),
        // A group is left to the operator.
        (0o755, 0o770, nil), (0o755, 0o775, nil), (0o770, 0o770, nil), (0o2775, 0o2775, nil),
        // As of /tmp and of /run/lock.
        (0o1777, 0o750, nil), (0o1777, 0o770, nil),
        (0o777, 0o750, "/outer\", a folder to which every user may write: chmod o-w"),
        (0o757, 0o750, "/outer\", a folder to which every user may write: chmod o-w"),
        (0o702, 0o700, "/outer\", a folder to which every user may write: chmod o-w"),
        (0o755, 0o777, "/inner\", a folder to which every user may write: chmod o-w"),
        (0o755, 0o702, "/inner\", a folder to which every user may write: chmod o-w"),
        // Nobody can take the socket away there, but everybody can be the first.
        (0o755, 0o1777, "lies in "), (0o755, 0o1702, "a folder of its own"),
    ]

    @Test(arguments: modes.indices)
    func modesOfFolders(_ index: Int) throws {
        let (outer, inner, expected) = Self.modes[index]
        let (folder, socket) = try Self.make(outer, inner)
        let fault = SocketFolder.fault(above: socket, Self.us)
        if let expected {
            #expect(fault?.contains(expected) == true, "\(fault ?? "")")
        } else {
            #expect(fault == nil, "\(fault ?? "")")
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [
        ("/run/p.sock", true), ("/run/postern/p.sock", true), ("/p.sock", true), ("/tmp/none/p.sock", true),
        ("/tmp/p.sock", false),
    ])
    func usualPlaces(_ path: String, _ isGood: Bool) {
        #expect((SocketFolder.fault(above: path) == nil) == isGood, "\(SocketFolder.fault(above: path) ?? "")")
    }

    /// A link leads by folders of its own, whatever the one that it stands in.
    @Test func links() throws {
        let (folder, socket) = try Self.make(0o777, 0o750)
        let place = folder.url.path
        mkdir("\(place)/own", 0o700)
        // Out of a folder for all, and into one.
        symlink("../own", "\(place)/outer/link")
        symlink("outer/inner", "\(place)/way")
        for path in ["\(place)/outer/link/p.sock", "\(place)/way/p.sock", socket] {
            #expect(SocketFolder.fault(above: path, Self.us)?.contains("/outer\"") == true, "\(path)")
        }
        #expect(SocketFolder.fault(above: "\(place)/own/p.sock", Self.us) == nil)
        chmod("\(place)/outer", 0o755)
        #expect(SocketFolder.fault(above: "\(place)/outer/link/p.sock", Self.us) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"), arguments: ["outer", "outer/inner"])
    func owners(_ name: String) throws {
        let (folder, socket) = try Self.make(0o755, 0o750)
        let path = "\(folder.url.path)/\(name)"
        chown(path, 4711, 4711)
        let fault = SocketFolder.fault(above: socket, Self.us)
        #expect(fault?.contains("\(path)\", a folder of the user 4711") == true, "\(fault ?? "")")
        #expect(SocketFolder.fault(above: socket, FileOwners(user: 4711, outsider: nil)) == nil)
        // A group of others in a folder of root's.
        chown(path, 0, 4711)
        chmod(path, 0o770)
        #expect(SocketFolder.fault(above: socket, Self.us) == nil)
    }

    /// The check, the start and the doctor say the same, and nothing is opened.
    @Test func everybodySaysIt() throws {
        let (folder, socket) = try Self.make(0o777, 0o750)
        let settings = #"{"providers":[\#(SettingsRun.apple)],"listeners":[{"unix":"\#(socket)"}]}"#
        let words = "lies below \"\(folder.url.path)/outer\", a folder to which every user may write"
        let check = try SettingsRun.run(["check-config"], settings)
        #expect(check.status == 1 && check.text.contains("listeners[0].unix \(words)"), "\(check.text)")
        #expect(check.text.hasPrefix("FILE:1:"))
        let start = try SettingsRun.run(["serve"], settings)
        #expect(start.status == 2 && start.complaint.contains("\"event\":\"start_failed\""), "\(start.complaint)")
        #expect(start.complaint.contains("listeners[0] cannot be opened (unsafe): the path of the socket lies below"))
        let doctor = try SettingsRun.run(["doctor", "--offline"], settings)
        #expect(doctor.status == 1 && doctor.text.contains("PROBLEM  socket_folder_open "), "\(doctor.text)")
        #expect(doctor.text.contains("The socket \(words)"), "\(doctor.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.url.path)/outer/inner").isEmpty)
        chmod("\(folder.url.path)/outer", 0o755)
        #expect(try SettingsRun.run(["check-config"], settings).status == 0)
    }
}
