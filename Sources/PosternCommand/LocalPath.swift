internal import Glibc
internal import PosternBase

/// Paths as people type them.
enum LocalPath {
    /// Whether both are one path however they are written, as far as that can be told without looking: a folder before `..` may be a link.
    static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.first == right.utf8.first && parts(left) == parts(right)
    }

    /// What leads somewhere.
    private static func parts(_ path: String) -> [[UInt8]] {
        path.utf8.split(separator: 0x2F).map(Array.init).filter { $0 != [0x2E] }
    }

    /// The same from the root on; one that begins there stays as it is.
    static func absolute(_ path: String) throws(CommandFailure) -> String {
        guard path.utf8.first != 0x2F, !path.isEmpty else { return path }
        guard let here = getcwd(nil, 0) else {
            throw .trouble("the present folder has no name: \(StandardStreams.explanation(of: errno))")
        }
        defer { free(here) }
        return "\(String(decoding: RawArguments.bytes(of: here), as: UTF8.self))/\(path)"
    }
}
