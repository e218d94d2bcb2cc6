internal import Glibc
internal import PosternBase

/// Paths as people type them.
enum LocalPath {
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
