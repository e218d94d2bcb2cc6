import Foundation
import PosternHTTP
import PosternHTTPServer
import Testing

/// Servers in processes of their own.
@Suite struct ProcessTests {
    /// The program stands beside the test bundle, wherever the build puts both.
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("PosternTestHTTPServer")

    private struct Served {
        let process = Process()
        let input = Pipe()
        let output = Pipe()

        /// Returns when it serves.
        init(_ path: String, descriptors: Int = 256, cycles: Int = 0) throws {
            process.executableURL = ProcessTests.program
            process.arguments = [path, String(descriptors), String(cycles)]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            let first = try output.fileHandleForReading.read(upToCount: 1)
            #expect(first == Data(".".utf8))
        }

        /// What it says at the end.
        func end() throws -> String {
            try input.fileHandleForWriting.close()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private func isServed(_ wire: Wire) -> Bool {
        wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return wire.answer()?.status == 200
    }

    /// What a killed server leaves stops nobody, however often.
    @Test func aKilledServerLeavesNothingThatBlocks() async throws {
        try await TestServer.onThread {
            let folder = try TestServer.makeFolder()
            defer { TestServer.remove(folder) }
            for round in 0..<10 {
                let served = try Served(folder + "/s")
                let wire = try Wire(path: folder + "/s")
                #expect(isServed(wire), "round \(round)")
                kill(served.process.processIdentifier, SIGKILL)
                served.process.waitUntilExit()
                #expect(access(folder + "/s", F_OK) == 0)
            }
            let served = try Served(folder + "/s")
            #expect(try served.end() == "0 0")
            #expect(access(folder + "/s", F_OK) != 0)
            #expect(access(folder + "/s.lock", F_OK) != 0)
        }
    }

    /// A descriptor that is left by each would leave none for the last.
    @Test func serversThatEndLeaveNoDescriptors() async throws {
        try await TestServer.onThread {
            let folder = try TestServer.makeFolder()
            defer { TestServer.remove(folder) }
            let served = try Served(folder + "/s", descriptors: 40, cycles: 200)
            #expect(isServed(try Wire(path: folder + "/s")))
            #expect(try served.end() == "0 0")
        }
    }

    /// Without descriptors who comes is turned away, who is inside goes on, and who comes later finds a place again.
    @Test func aServerWithoutDescriptorsGoesOn() async throws {
        try await TestServer.onThread {
            let folder = try TestServer.makeFolder()
            defer { TestServer.remove(folder) }
            let served = try Served(folder + "/s", descriptors: 40)
            var inside: [Wire] = []
            var turnedAway = 0
            for _ in 0..<100 {
                let wire = try Wire(path: folder + "/s")
                wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let status = wire.answer()?.status
                #expect(status == 200 || status == 429)
                if status == 200 { inside.append(wire) } else { turnedAway += 1 }
            }
            #expect(inside.count > 10)
            #expect(turnedAway >= 60)
            for wire in inside { #expect(isServed(wire)) }
            inside.removeFirst(5)
            // The places are free once the server has seen the ends; until then it turns away.
            var isInside = false
            for _ in 0..<10_000 where !isInside { isInside = isServed(try Wire(path: folder + "/s")) }
            #expect(isInside)
            inside = []
            let failures = try served.end().split(separator: " ").compactMap { Int($0) }
            #expect(failures.count == 2)
            #expect(try #require(failures.first) >= turnedAway)
            // The operator is told of each, in few words.
            #expect(failures.last == failures.first)
        }
    }
}
