import Foundation
import PosternVectors

/// A folder of its own for one test, gone with the last use of it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "postern-vectors-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a new file in the folder.
    @discardableResult
    func file(_ name: String, _ content: String) throws -> String {
        try file(name, Data(content.utf8))
    }

    @discardableResult
    func file(_ name: String, _ content: Data) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
        return file.path
    }

    /// What the runner says to a file with this content.
    static func report(_ content: String, name: String = "vectors.json") throws -> VectorFileReport? {
        let folder = try TemporaryFolder()
        return VectorRunner.run(paths: [try folder.file(name, content)]).files.first
    }
}
