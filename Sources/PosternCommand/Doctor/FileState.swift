internal import Glibc

/// What lies at a path.
struct FileState: Sendable, Equatable {
    let mode: UInt32
    let owner: UInt32
    let group: UInt32

    /// Of the file itself; or, where it is a link and `follows` is said, of what it points at.
    init?(_ path: String, follows: Bool = false) {
        var status = stat()
        guard (follows ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        mode = status.st_mode
        owner = status.st_uid
        group = status.st_gid
    }

    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
    var permissions: UInt32 { mode & 0o777 }

    /// For people: the mode in octal, and whose it is.
    var words: String { "mode 0\(String(permissions, radix: 8)), user \(owner), group \(group)" }

    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
