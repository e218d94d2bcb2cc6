import Foundation
import Glibc
import PosternTestSupport
import Testing

@testable import PosternCommand

/// Files that decide who is let in, and the folders above them.
@Suite struct FileOwnersTests {
    private static let us = FileOwners(user: geteuid(), outsider: nil)

    private static func make(_ path: String, _ mode: mode_t) throws {
        guard mkdir(path, 0o700) == 0, chmod(path, mode) == 0 else { throw DaemonFailure(text: path) }
    }

    /// A file in two folders, the outer one with that mode.
    private static func file(below mode: mode_t, in folder: TemporaryFolder) throws -> String {
        let outer = folder.url.appendingPathComponent("outer").path
        try make(outer, 0o755)
        try make("\(outer)/inner", 0o755)
        guard FileManager.default.createFile(atPath: "\(outer)/inner/file", contents: Data()) else {
            throw DaemonFailure(text: outer)
        }
        chmod(outer, mode)
        return "\(outer)/inner/file"
    }

    @Test(arguments: [
        (0o755, true), (0o700, true), (0o775, true), (0o2775, true), (0o1777, true), (0o777, false), (0o757, false),
        (0o702, false),
    ])
    func modesOfFolders(_ mode: Int, _ isGood: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(below: mode_t(mode), in: folder)
        let fault = Self.us.fault(above: path)
        #expect((fault == nil) == isGood, "\(fault ?? "")")
        if !isGood { #expect(fault?.contains("/outer\", a folder to which every user may write: chmod o-w") == true) }
    }

    /// A link leads by folders of its own.
    @Test func linksAreFollowed() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(below: 0o777, in: folder)
        let place = folder.url.path
        symlink("outer/inner", "\(place)/relative")
        symlink("\(place)/./relative/../inner", "\(place)/absolute")
        symlink("loop", "\(place)/loop")
        for name in ["relative/file", "absolute/file", "outer/../outer/inner/file"] {
            #expect(Self.us.fault(above: "\(place)/\(name)")?.contains("/outer\"") == true, "\(name)")
        }
        chmod("\(place)/outer", 0o755)
        for name in ["relative/file", "absolute/file", "outer/../outer/inner/file", "loop/file", "none/file"] {
            #expect(Self.us.fault(above: "\(place)/\(name)") == nil, "\(name)")
        }
        #expect(Self.us.fault(above: path) == nil)
    }

    /// What a Debian system has is good as it is.
    @Test(arguments: [
        "/etc/hostname", "/etc/ssl/certs/ca-certificates.crt", "/tmp/a", "/run/credentials/a", "/dev/stdin", "/",
    ])
    func usualPlaces(_ path: String) { #expect(FileOwners.ofProcess.fault(above: path) == nil) }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func owners() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(below: 0o755, in: folder)
        let outer = folder.url.appendingPathComponent("outer").path
        chown(outer, 4711, 4711)
        let fault = try #require(Self.us.fault(above: path))
        #expect(fault.contains("/outer\", a folder of the user 4711, who could put another file there"))
        #expect(FileOwners(user: 4711, outsider: nil).fault(above: path) == nil)
        // By what number a container sees whoever is outside of it.
        #expect(FileOwners(user: 0, outsider: 4711).fault(above: path) == nil)
        chown(outer, 0, 0)
        symlink(path, "\(folder.url.path)/link")
        lchown("\(folder.url.path)/link", 4711, 4711)
        #expect(Self.us.fault(above: "\(folder.url.path)/link")?.contains("of the user 4711") == true)
    }

    /// Each setting that names such a file is told with its place.
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ["keys", "ca_file", "file"])
    func settings(_ member: String) throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(below: 0o755, in: folder)
        let contents = try [
            "keys": TestIssuer.rsa.get().keySet, "file": String(repeating: "ab", count: 32),
            "ca_file": String(contentsOfFile: TestServer.shared.get().caFile, encoding: .utf8),
        ]
        try Data((contents[member] ?? "").utf8).write(to: URL(fileURLWithPath: path))
        let provider = #"{"provider":"oidc","name":"staff","issuer":"https://issuer.example","\#(member)":"\#(path)","#
        let good =
            member == "file"
            ? SettingsRun.good(#","api_keys":[{"name":"a","file":"\#(path)"}]"#)
            : SettingsRun.good().replacingOccurrences(of: #"{"provider":"apple","#, with: provider)
        let name = (member == "file" ? "api_keys[0]." : "providers[0].") + member
        #expect(try SettingsRun.run(["check-config"], good).text == SettingsRun.areGood)
        chown(path, 4711, 0)
        var run = try SettingsRun.run(["check-config"], good)
        #expect(
            run.status == 1 && run.text.contains("\(name) is a file of the user 4711, who could put"), "\(run.text)")
        chown(path, 0, 0)
        chmod(folder.url.appendingPathComponent("outer").path, 0o777)
        run = try SettingsRun.run(["check-config"], good)
        #expect(run.status == 1 && run.text.contains("\(name) lies below \"\(folder.url.path)/outer\""), "\(run.text)")
        #expect(run.text.hasPrefix("FILE:1:"))
    }

    /// The settings themselves are told by their name, since there is no place in them to tell.
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"), arguments: [false, true])
    func theSettingsFile(isRelative: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(below: 0o755, in: folder)
        try Data(SettingsRun.good().utf8).write(to: URL(fileURLWithPath: path))
        let outer = folder.url.appendingPathComponent("outer").path
        func check() throws -> Invocation {
            try isRelative
                ? Invocation.shell(
                    "cd $1 && exec $0 check-config --config outer/inner/file", [folder.url.path])
                : Invocation.run(["check-config", "--config", path])
        }
        #expect(try check().status == 0)
        chown(path, 4711, 0)
        #expect(try check().complaint.contains("is a file of the user 4711, who could put another one there"))
        chown(path, 0, 0)
        chmod(outer, 0o777)
        let run = try check()
        #expect(run.status == 2)
        #expect(run.complaint.contains("lies below \"\(outer)\", a folder to which every user may write"))
    }

    /// What comes by standard input has no folder, whatever the one that the command runs in.
    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func settingsByStandardInput() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(below: 0o777, in: folder)
        try Data(SettingsRun.good().utf8).write(to: URL(fileURLWithPath: path))
        chown(folder.url.appendingPathComponent("outer").path, 4711, 4711)
        let run = try Invocation.shell("cd $1/outer && exec $0 check-config --config - < $2", [folder.url.path, path])
        #expect(run.status == 0, "\(run.text)\(run.complaint)")
        chown(path, 4711, 4711)
        let other = try Invocation.shell("exec $0 check-config --config - < $1", [path])
        #expect(other.status == 2 && other.complaint.contains("is a file of the user 4711"), "\(other.complaint)")
    }

    /// Root may look at the settings of a daemon that has its data in a folder of its own. The daemon is asked for more: whoever
    /// has a folder above its data could put another one there after the look and before it is opened.
    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func foldersAboveTheData() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(below: 0o755, in: folder)
        let outer = folder.url.appendingPathComponent("outer").path
        let data = "\(outer)/data"
        try Self.make(data, 0o700)
        unlink(path)
        let key = try AccountsDaemon.masterKey("master.key", in: folder)
        let accounts = #"{"data":"\#(data)","master_key_file":"\#(key)","issuer":"https://auth.example.com"}"#
        let settings = SettingsRun.good(#","accounts":\#(accounts)"#)
        let foreign = "accounts.data lies below \"\(outer)\", a folder of the user 4711"
        for (above, own, isGood) in [(uid_t(0), uid_t(0), true), (4711, 4711, true), (4711, 0, false)] {
            chown(outer, above, above)
            chown(data, own, own)
            let check = try SettingsRun.run(["check-config"], settings)
            #expect(check.status == (isGood ? 0 : 1) && check.text.contains(foreign) != isGood, "\(check.text)")
            guard above != 0 else { continue }
            let start = try SettingsRun.run(["serve"], settings)
            #expect(start.status == 2 && start.complaint.contains(foreign), "\(start.complaint)")
        }
    }
}
