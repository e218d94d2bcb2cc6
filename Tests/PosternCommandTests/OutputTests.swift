import Foundation
import Glibc
import PosternBase
import PosternTestSupport
import Testing

/// What is written where, and what happens when it cannot be.
@Suite struct OutputTests {
    private static let commands: [[String]] = [
        ["--version"], ["--help"], ["help"], ["nonce"], ["nonce", "--format", "json"], ["verify", "--help"],
        ["inspect", "a.b"], ["nonce", "--check", "a", "b"],
    ]

    @Test(arguments: commands)
    func fullDisk(_ arguments: [String]) throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let answer = try Invocation.run(arguments, output: full)
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("No space left on device"))
    }

    @Test(arguments: commands)
    func closedOutput(_ arguments: [String]) throws {
        let answer = try Invocation.shell(#""$0" "$@" >&-"#, arguments)
        #expect(answer.status == 2)
        #expect(answer.complaint.contains("could not be written"))
    }

    @Test func readerThatIsGone() throws {
        // The FIFO's reader opens and closes it before anything is written.
        let folder = try TemporaryFolder()
        let fifo = folder.url.appendingPathComponent("fifo").path
        let line = #"mkfifo "$1"; : < "$1" & exec 3> "$1"; wait; "$0" nonce >&3"#
        let answer = try Invocation.shell(line, [fifo])
        #expect(answer.status == 2)
        #expect(answer.complaint.isEmpty)
    }

    @Test(arguments: [
        (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": ""], true),
        (["TERM": "xterm", "NO_COLOR": "1"], false),
        (["TERM": "dumb"], false), ([:], false),
    ])
    func coloursOnATerminal(_ environment: [String: String], _ isColoured: Bool) throws {
        let (controller, terminal) = try Self.terminal()
        let answer = try Invocation.run(["nonce", "--check", "abc", "x"], environment: environment, output: terminal)
        #expect(answer.status == 1)
        let shown = String(decoding: controller.piece(), as: UTF8.self)
        #expect(shown.contains("NO MATCH"))
        #expect(shown.contains("\u{1B}[") == isColoured)
    }

    /// A terminal: the end that reads what is shown, and the one that programs write to.
    private static func terminal() throws -> (controller: FileHandle, terminal: FileHandle) {
        let controller = try #require(FileHandle(forUpdatingAtPath: "/dev/ptmx"))
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, macros that Swift does not see.
        var unlocked: Int32 = 0
        var number: UInt32 = 0
        #expect(ioctl(controller.fileDescriptor, 0x4004_5431, &unlocked) == 0)
        #expect(ioctl(controller.fileDescriptor, 0x8004_5430, &number) == 0)
        return (controller, try #require(FileHandle(forUpdatingAtPath: "/dev/pts/\(number)")))
    }
}
