import Foundation
import PosternPasswords
import Testing

@Suite struct BlocklistTests {
    private static func holds(_ list: Blocklist, _ text: String) throws -> Bool {
        let password = try #require(Password(text))
        do throws(PasswordPolicyError) {
            _ = try PasswordPolicy(characters: 1...1_024, blocklist: list).accept(password, email: nil)
            return false
        } catch {
            return error == .rejected(.listed)
        }
    }

    private static func error(_ files: [String]) -> BlocklistError.Reason? {
        do throws(BlocklistError) {
            _ = try Blocklist(files: files)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func linesAreReadHoweverTheyEnd() throws {
        let folder = try Folder()
        let list = try Blocklist(files: [
            try folder.write("unix", "one\n\nTWO\n  three \n#!comment: no password\n#four\none\n"),
            try folder.write("dos", "five\r\nsix\r\r\n\r\nseven"),
        ])
        for text in ["one", "two", "TWO", "  three ", "#four", "five", "six\r", "seven"] {
            #expect(try Self.holds(list, text), "\(text)")
        }
        for text in ["three", "four", "five\r", "six", "#!comment: no password", "\n"] {
            #expect(try !Self.holds(list, text), "\(text)")
        }
        #expect(list.count == 7)
    }

    /// Around the edge of what is read at once, and of what a line may have.
    @Test func longLinesAndChunks() throws {
        let folder = try Folder()
        let filler = String(repeating: "x", count: 4_096)
        let text =
            String(repeating: filler + "\n", count: 15) + String(repeating: "y", count: 4_096 - 20)
            + "\nacross the edge of it\nlast"
        let tooLong = String(repeating: "z", count: 4_097) + "\nafter\n"
        let list = try Blocklist(files: [try folder.write("a", text), try folder.write("b", tooLong)])
        for text in ["across the edge of it", "last", "after"] { #expect(try Self.holds(list, text)) }
        #expect(list.count == 5)
    }

    @Test func whatIsNoTextIsPassedOverByTheLine() throws {
        let folder = try Folder()
        let file = try folder.write("latin1", Data([0x67, 0x72, 0xFC, 0x6E, 0x0A] + Array("blue\n".utf8)))
        let list = try Blocklist(files: [file])
        #expect(list.count == 1)
        #expect(try Self.holds(list, "blue"))
    }

    @Test func whatIsNoListIsAnError() throws {
        let folder = try Folder()
        let good = try folder.write("good", "password1\n")
        let missing = folder.url.appending(path: "missing").path
        #expect(Self.error([missing]) == .missing)
        #expect(Self.error([good, missing]) == .missing)
        #expect(Self.error([folder.url.path]) == .notText)
        #expect(Self.error([try folder.write("empty", "")]) == .empty)
        #expect(Self.error([try folder.write("blank", "\n\r\n#!comment: nothing\n")]) == .empty)
        #expect(Self.error([try folder.write("packed", Data([0x70, 0, 0x71]))]) == .notText)
        #expect(Self.error([""]) == .missing)
        let pipe = folder.url.appending(path: "pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(Self.error([pipe]) == .notText)
        #expect(Self.error([good + "/x"]) == .unreadable(ENOTDIR))
        #expect(Self.error([]) == nil)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func whatMayNotBeReadIsAnError() throws {
        let folder = try Folder()
        let file = try folder.write("secret", "password1\n")
        #expect(chmod(file, 0) == 0)
        #expect(Self.error([file]) == .unreadable(EACCES))
    }

    @Test func messagesNameTheFile() throws {
        for (reason, part) in [
            (BlocklistError.Reason.missing, "john-data"), (.unreadable(EACCES), "Permission denied"),
            (.notText, "one a line"), (.empty, "no password"),
            (.tooMany, "16777216"),
        ] {
            let message = BlocklistError("/a/list", reason).message
            #expect(message.contains("\"/a/list\"") && message.contains(part), "\(message)")
        }
    }

    /// Debian's lists are what is read unless another is named.
    @Test(
        .enabled(
            if: Blocklist.debianPaths.allSatisfy { FileManager.default.fileExists(atPath: $0) },
            "john-data or cracklib-runtime is missing"))
    func ofDebian() throws {
        let list = try Blocklist(files: Blocklist.debianPaths)
        #expect(list.count > 50_000)
        for text in ["password", "Password1", "123456789", "qwerty", "iloveyou", "elephant"] {
            #expect(try Self.holds(list, text), "\(text)")
        }
        for text in ["correct horse battery", "#!comment:", "q7-Vx!2fLm"] {
            #expect(try !Self.holds(list, text), "\(text)")
        }
    }
}
