import Foundation
import PosternTestSupport
import Testing

/// The log takes words of our own, and what is not one does not compile.
@Suite struct LogTypeTests {
    /// Where a text that is only known at run time goes into the log, and how often: each has been looked at.
    @Test func textsAreVouchedForInFewPlaces() throws {
        let known = [
            "PosternCommand/Issuer/LocalIssuer.swift": 1, "PosternCommand/Serve/Daemon.swift": 4,
            "PosternCommand/Serve/KeyEvents.swift": 2, "PosternCommand/Serve/Reload.swift": 4,
            "PosternCommand/Serve/ServerTrouble+Log.swift": 1,
            "PosternCommand/Serve/Signals.swift": 1, "PosternService/Service+Log.swift": 6,
        ]
        let root = TestPaths.package.appending(path: "Sources")
        var found: [String: Int] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: root.path) ?? .init()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            let count = text.matches(of: /\.text\([^\n]*from: \.(settings|system|ownWords|documented)\)/).count
            if count > 0 { found[path] = count }
        }
        #expect(found == known)
    }

    private static let start = """
        import PosternBase
        let token = "secret"
        let good: LogValue = "literal"
        let line = LogEvent("a", .info, ["b"], "c").line(time: "", [("b", good), ("b", 5), ("b", .number(token.count))])

        """

    /// A token, a nonce or any other text is no value of the log, however it is put.
    @Test func whatCouldLeakDoesNotCompile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try Self.compiles("", in: folder))
        for leak in [
            "let a: LogValue = token", "let a: LogValue = \"\\(token)\"", "let a = LogValue(token)",
            "let a = LogValue(stringLiteral: token)", "let a: LogValue = .word(token)",
            "let a: LogValue = .text(token)", "let a: LogValue = .number(token)", "let a: LogValue = .list([token])",
            "let a = LogEvent(\"a\", .info, [], \"b\").line(time: \"\", [(\"b\", token)])",
            "let a = LogEvent(\"a\", .info, [], \"b\").line(time: \"\", [(\"\\(token)\", 1)])",
            "let a: LogValue = .text(Secret(token), from: .ownWords)", "let a: String = Secret(token)",
        ] { #expect(try !Self.compiles(leak, in: folder), "\(leak)") }
    }

    private static func compiles(_ line: String, in folder: URL) throws -> Bool {
        let file = folder.appending(path: "leak.swift")
        try Data((start + line + "\n").utf8).write(to: file)
        let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-package-name",
            TestPaths.package.lastPathComponent.lowercased(), "-I", products.appending(path: "Modules").path, file.path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
