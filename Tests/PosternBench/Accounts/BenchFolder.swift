import Glibc

/// A folder of its own that is gone with this object, whatever lies in it.
final class BenchFolder: Sendable {
    let path: String
    /// Where a store lies.
    var data: String { path + "/data" }

    init() throws { path = try BenchProcess.newFolder() }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        guard let folder = opendir(path) else {
            unlink(path)
            return
        }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        closedir(folder)
        for name in names { remove("\(path)/\(name)") }
        rmdir(path)
    }

    /// Readable by its owner alone, as secrets must be.
    func write(_ name: String, _ text: String) throws {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw HTTPLoad.Failure(what: "open") }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw HTTPLoad.Failure(what: "write") }
    }
}
