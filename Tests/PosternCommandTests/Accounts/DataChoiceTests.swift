import Foundation
import Glibc
import Testing

/// Of the settings a command reads what it needs: the rest may be wrong, or for the daemon alone to read.
@Suite(.onAThreadOfItsOwn) struct DataChoiceTests {
    private static let accounts =
        #""data":"DATA","master_key_file":"/nonexistent/master.key","issuer":"no url","signing_key_period":86400"#

    /// Data that a daemon has made, and other settings of them in which nothing else is right.
    private static func spoilt(_ accounts: String = accounts, _ rest: String = #","providers":7"#) throws -> (
        AccountsFolder, [String]
    ) {
        let data = try AccountsFolder()
        try data.signIn("a@example.com")
        let text = "{\"accounts\":{\(accounts.replacingOccurrences(of: "DATA", with: data.data))}\(rest)}"
        let file = try data.folder.file(containing: Data(text.utf8), called: "spoilt.json").path
        return (data, ["--config", file])
    }

    @Test func theDataAreEnough() throws {
        let (data, settings) = try Self.spoilt()
        let copy = data.folder.url.appendingPathComponent("copy.db").path
        for arguments in [
            ["users", "list"], ["users", "show", "a@example.com"], ["users", "create", "b@example.com"],
            ["users", "ban", "b@example.com"], ["users", "export", "a@example.com"], ["audit"], ["backup", copy],
            ["migrate", "--status"], ["migrate"],
        ] {
            let run = try Invocation.run(arguments + settings)
            #expect(run.status == 0, "\(arguments): \(run.complaint)")
        }
    }

    /// The policy of passwords is read where a password is set, and there it must be right.
    @Test func whatIsNeededMustBeRight() throws {
        let create = ["users", "create", "b@example.com", "--password", "-"]
        let long =
            #""data":"DATA","passwords":{"enabled":true,"blocklist":["none"],"minimum_characters":30,"hash_memory":7168,"hash_passes":5}"#
        let (one, strict) = try Self.spoilt(long)
        let short = try Invocation.run(create + strict, input: Data(SocketClient.password.utf8))
        #expect(short.status == 1 && short.text.contains("password_unacceptable"), "\(short.text)\(short.complaint)")
        let (other, wrong) = try Self.spoilt(#""data":"DATA","passwords":{"enabled":true,"minimum_characters":1}"#)
        let refused = try Invocation.run(create + wrong, input: Data(SocketClient.password.utf8))
        #expect(refused.status == 2 && refused.complaint.contains("minimum_characters must be"), "\(refused.complaint)")
        #expect(try Invocation.run(["users", "list"] + wrong).status == 0)
        withExtendedLifetime((one, other)) {}
    }

    @Test(arguments: [
        (#""data":7"#, "", "accounts.data must be a string"), (#""data":"/""#, "", "the root of the file system"),
        (#""data":"data""#, "", "must be an absolute path"), ("", "", "accounts.data names no folder"),
        (#""data":"DATA""#, #","a":"#, "expected"),
    ])
    func whatCannotBeRead(_ accounts: String, _ rest: String, _ words: String) throws {
        let (data, settings) = try Self.spoilt(accounts, rest)
        let run = try Invocation.run(["users", "list"] + settings)
        withExtendedLifetime(data) {}
        #expect(run.status == 2 && run.complaint.contains(words), "\(run.complaint)")
    }

    /// With the key at hand the file that the settings name need not be there.
    @Test func keysRotate() throws {
        let (data, settings) = try Self.spoilt()
        let key = data.folder.url.appendingPathComponent("master.key").path
        let rotate = ["keys", "rotate"] + settings
        let none = try Invocation.run(rotate)
        #expect(none.status == 2 && none.complaint.contains("master_key_file is not there"), "\(none.complaint)")
        #expect(try Invocation.run(rotate + ["--master-key", key]).status == 0)
        let other = try Invocation.run(
            rotate + ["--master-key", "-"], input: Data("0123456789abcdefghijklmnopqrstuvwxyz".utf8))
        #expect(other.status == 2 && other.complaint.contains("(signing_keys_unavailable)"), "\(other.complaint)")
        let alone = try Invocation.run(["keys", "rotate", "--data", data.data, "--master-key", key])
        #expect(alone.status == 2 && alone.complaint.contains("--data alone does not say"), "\(alone.complaint)")
        let help = try Invocation.run(["keys", "rotate", "--help"]).text.replacingOccurrences(of: "\n", with: " ")
        #expect(help.contains("Usage: postern keys rotate [OPTION]... --config FILE"))
        #expect(help.contains("--data alone will not do"))
    }
}
