import Foundation
import PosternKeySets
import Testing

/// A writer that is killed at any moment leaves the old copy or the new one, whole.
@Suite(.serialized) struct DiskCopyDurabilityTests {
    private static let source = "https://id.example.com/keys"

    /// The program stands beside the test bundle, wherever the build puts both.
    private static let writer = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("PosternKeyWriter")

    @Test func aKilledWriterLeavesAWholeCopy() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys"
        var last: Int64 = -1
        for round in 0..<30 {
            let process = Process()
            process.executableURL = Self.writer
            process.arguments = [path, String(last + 1)]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            // One byte a copy: so many copies have been written when it is killed, and the next is on its way.
            for _ in 0..<1 + round % 5 {
                #expect(try output.fileHandleForReading.read(upToCount: 1)?.count == 1)
            }
            for _ in 0..<round * 97 { sched_yield() }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let stored = try #require(try KeySetFolder(path: path).read(for: Self.source))
            #expect(stored.fetchedAt >= last + 1 + Int64(round % 5))
            #expect(stored.set.count == (stored.fetchedAt % 2 == 0 ? 20 : 150_000) + 11)
            last = stored.fetchedAt
        }
    }

    /// What killed writers leave is removed once it is old enough to be nobody's.
    @Test func unfinishedFilesAreRemoved() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys"
        let keys = KeySetFolder(path: path)
        try keys.write(
            StoredKeySet(
                source: Self.source, keySetURL: Self.source, fetchedAt: 1, timeToLive: 300, entityTag: nil,
                set: Array("{}".utf8)), now: 1)
        let name = KeySetFolder.fileName(of: Self.source)
        let files = [".\(name).new-old": -120.0, ".\(name).new-young": 0, ".other.new-old": -120, "old": -120]
        for (file, age) in files {
            #expect(FileManager.default.createFile(atPath: "\(path)/\(file)", contents: Data()))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: age)],
                ofItemAtPath: "\(path)/\(file)"
            )
        }
        _ = try keys.read(for: Self.source)
        let left = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(Set(left) == [name, ".\(name).new-young", ".other.new-old", "old"])
    }
}
