import Foundation
import PosternTestSupport
import Testing

/// A text that is only known at run time goes into the log where somebody has said where it comes from. That nothing else does is
/// the compiler's part, which `LogLeakTests` tries.
@Suite struct LogTypeTests {
    /// Where such a text goes in, and how often: each has been looked at.
    @Test func textsAreVouchedForInFewPlaces() throws {
        let known = [
            "PosternCommand/Accounts/AuditLog.swift": 4, "PosternCommand/Accounts/Upkeep.swift": 2,
            "PosternCommand/Accounts/WatchedStore.swift": 2, "PosternCommand/Issuer/LocalIssuer.swift": 1,
            "PosternCommand/Serve/Daemon.swift": 5,
            "PosternCommand/Serve/KeyEvents.swift": 2, "PosternCommand/Serve/NotifySocket.swift": 1,
            "PosternCommand/Serve/Reload.swift": 4, "PosternCommand/Serve/ServerTrouble+Log.swift": 1,
            "PosternCommand/Serve/Signals.swift": 1, "PosternCommand/Serve/StartFailure.swift": 1,
            "PosternService/Service+Log.swift": 6,
        ]
        let root = TestPaths.package.appending(path: "Sources")
        var found: [String: Int] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: root.path) ?? .init()
        where path.hasSuffix(".swift") && path != "PosternBase/Log/LogValue.swift" {
            let vouchings = Vouchings(in: try String(contentsOf: root.appending(path: path), encoding: .utf8))
            if vouchings.count > 0 { found[path] = vouchings.count }
            #expect(vouchings.hidden.isEmpty, "\(path): say which origin it is where it is told: \(vouchings.hidden)")
        }
        #expect(found == known)
    }

    /// How it may be written, and what is seen of it.
    @Test(arguments: [
        (".text(a, from: .settings)", 1, 0), (".text(\n  a,\n  from: .system)", 1, 0),
        (".text(a, from:\n  .ownWords\n)", 1, 0), ("text ( a, from : .documented )", 1, 0),
        (".text(f(b)[0], from: .ownWords), .text(c, from: .settings)", 2, 0),
        (".text(\"(\", from: .settings)", 1, 0), (".text(\")\", from: origin)", 0, 1),
        (".text(a, from: origin)", 0, 1), (".text(\n  a,\n  from: origin\n)", 0, 1),
        (".text(a, from: b ? .settings : .system)", 0, 1), (".text(a, from: LogValue.Origin.settings)", 0, 1),
        ("LogValue.text(_:from:)", 0, 1), (".text(\"\\(f(x))\", from: origin)", 0, 1), (".text(a, from: .other)", 0, 1),
        // Through another name it counts all the same, or is seen.
        ("tell(a, from: .settings)", 1, 0), ("let origin: LogValue.Origin = .settings", 0, 1),
        ("map(LogValue.text)", 0, 1), ("texts.bytes(from: last)", 0, 0), ("JSONOutput.text(a)", 0, 0),
    ])
    func everyWayIsSeen(source: String, count: Int, hidden: Int) {
        let vouchings = Vouchings(in: source)
        #expect(vouchings.count == count && vouchings.hidden.count == hidden, "\(vouchings)")
    }
}
