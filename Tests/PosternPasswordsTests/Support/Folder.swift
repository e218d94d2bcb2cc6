import Foundation

/// A folder for one test.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "postern-passwords-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a new file.
    func write(_ name: String, _ text: String) throws -> String { try write(name, Data(text.utf8)) }

    func write(_ name: String, _ data: Data) throws -> String {
        try data.write(to: url.appending(path: name))
        return url.appending(path: name).path
    }
}
