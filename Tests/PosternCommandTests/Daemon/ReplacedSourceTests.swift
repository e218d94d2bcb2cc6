import Foundation
import Glibc
import PosternKeySets
import PosternTestSupport
import Testing

@testable import PosternCommand

/// The key sources that a reload takes out of use are let go of, with their thread, their connections and what they have under way.
@Suite(.onAThreadOfItsOwn) struct ReplacedSourceTests {
    enum Replacement: CaseIterable {
        case providerRemoved, otherURL, wholeSet
    }

    /// Daemons whose settings change from one set of providers to another and back.
    private struct Run {
        let folder: TemporaryFolder
        let daemon: DaemonProcess

        init(_ providers: String) throws {
            folder = try TemporaryFolder()
            daemon = try DaemonProcess(Self.settings(providers), in: folder)
        }

        static func settings(_ providers: String) -> String {
            DaemonIssuer.settings(providers, more: #""cache_folder":"","#)
        }

        func reload(_ providers: String, count: Int) throws {
            let text = Self.settings(providers).replacingOccurrences(of: "SOCKET", with: daemon.socket)
            try Data(text.utf8).write(to: folder.url.appendingPathComponent("settings.json"))
            daemon.signal(SIGHUP)
            try daemon.wait(for: "reloaded", count: count)
        }
    }

    private static func provider(_ name: String, _ url: String, _ server: TestServer) -> String {
        DaemonIssuer.provider(keys: url, more: #""ca_file":"\#(server.caFile)","#)
            .replacingOccurrences(of: "\"test\"", with: "\"\(name)\"")
            .replacingOccurrences(of: TestIssuer.audience, with: "com.example.\(name)")
    }

    private struct Sets {
        let before, after: String
        let oldPath: String
        /// Whether keys are fetched for those afterwards too.
        let fetchesAfter: Bool
    }

    private static func sets(_ replacement: Replacement, _ name: String, in folder: TemporaryFolder) async throws
        -> Sets
    {
        let server = try TestServer.shared.get()
        let path = "/replaced/\(name)/\(replacement)"
        try await server.set(
            "\(path)/new", .answer(200, [("Cache-Control", "max-age=600")], body: TestIssuer.rsa.get().keySet))
        let kept = try DaemonIssuer.provider(in: folder)
        let old = provider("old", server.url("\(path)/old"), server)
        switch replacement {
        case .providerRemoved:
            return Sets(before: "\(kept),\(old)", after: kept, oldPath: "\(path)/old", fetchesAfter: false)
        case .otherURL:
            let new = provider("old", server.url("\(path)/new"), server)
            return Sets(before: "\(kept),\(old)", after: "\(kept),\(new)", oldPath: "\(path)/old", fetchesAfter: true)
        case .wholeSet:
            let other = kept.replacingOccurrences(of: "\"test\"", with: "\"other\"")
            let olds = "\(old),\(provider("second", server.url("\(path)/old"), server))"
            return Sets(before: olds, after: other, oldPath: "\(path)/old", fetchesAfter: false)
        }
    }

    /// The thread and the connections of a client go with the source that has it.
    private static func settle(_ daemon: DaemonProcess, at least: Int) throws {
        until { (try? daemon.state.sockets().count) == least }
    }

    /// Sources that have their keys, and wait for the time to fetch them again.
    @Test(arguments: Replacement.allCases)
    func atRest(_ replacement: Replacement) async throws {
        let keys = try TemporaryFolder()
        let sets = try await Self.sets(replacement, "rest", in: keys)
        let server = try TestServer.shared.get()
        try await server.set(
            sets.oldPath, .answer(200, [("Cache-Control", "max-age=600")], body: TestIssuer.rsa.get().keySet))
        let run = try Run(sets.after)
        try run.daemon.wait(for: "listening")
        let own = sets.fetchesAfter ? 1 : 0
        if own > 0 { try run.daemon.wait(for: "keys_replaced") }
        let least = try run.daemon.state.sockets().count
        for round in 0..<3 {
            try run.reload(sets.before, count: 2 * round + 1)
            let olds = sets.before.components(separatedBy: sets.oldPath).count - 1
            try run.daemon.wait(for: "keys_replaced", count: own + (own + olds) * round + olds)
            if own == 0 { #expect(try run.daemon.state.sockets().count > least) }
            try run.reload(sets.after, count: 2 * round + 2)
            try run.daemon.wait(for: "keys_replaced", count: own + (own + olds) * (round + 1))
            try Self.settle(run.daemon, at: least)
        }
        let asked = try await server.requests(sets.oldPath).count
        #expect(asked == 3 * (sets.before.components(separatedBy: sets.oldPath).count - 1))
        run.daemon.signal(SIGTERM)
        #expect(run.daemon.end() == 0)
    }

    /// Sources that wait for an answer, which nobody needs any more: it is not waited for.
    @Test(arguments: Replacement.allCases)
    func inFlight(_ replacement: Replacement) async throws {
        let keys = try TemporaryFolder()
        let sets = try await Self.sets(replacement, "flight", in: keys)
        let server = try TestServer.shared.get()
        try await server.set(sets.oldPath, .held(body: TestIssuer.rsa.get().keySet))
        let run = try Run(sets.after)
        try run.daemon.wait(for: "listening")
        if sets.fetchesAfter { try run.daemon.wait(for: "keys_replaced") }
        let least = try run.daemon.state.sockets().count
        let olds = sets.before.components(separatedBy: sets.oldPath).count - 1
        try run.reload(sets.before, count: 1)
        #expect(try await server.wait(sets.oldPath, requests: olds))
        try run.reload(sets.after, count: 2)
        #expect(try await server.wait(sets.oldPath, closed: olds))
        try Self.settle(run.daemon, at: least)
        #expect(try await server.requests(sets.oldPath).count == olds)
        #expect(!run.daemon.log.contains("keys_failed"))
        run.daemon.signal(SIGTERM)
        #expect(run.daemon.end() == 0)
    }

    private struct Weak {
        weak var source: RemoteKeySource?
    }

    /// The sources themselves are freed, those that go on being needed are not.
    @Test(arguments: Replacement.allCases)
    func theObjectsAreFreed(_ replacement: Replacement) async throws {
        let folder = try TemporaryFolder()
        let sets = try await Self.sets(replacement, "objects", in: folder)
        func settings(_ providers: String) throws -> ServeSettings {
            let text = Run.settings(providers).replacingOccurrences(of: "SOCKET", with: "/nonexistent/p.sock")
            return try SettingsInput(file: Array(folder.file(containing: Data(text.utf8)).path.utf8)).settings()
        }
        let kept = try Self.provider("kept", TestServer.shared.get().url("/replaced/kept"), TestServer.shared.get())
        var serving = try Serving(settings("\(kept),\(sets.before)"))
        let sources = serving.sources.map { Weak(source: $0) }
        #expect(sources.count >= 2)
        serving = try Serving(settings("\(kept),\(sets.after)"), after: serving)
        #expect(sources[0].source != nil && sources[0].source === serving.sources.first)
        #expect(sources.dropFirst().allSatisfy { $0.source == nil })
        #expect(serving.sources.count == (sets.fetchesAfter ? 2 : 1))
    }
}
