internal import Glibc
internal import PosternAccounts
internal import PosternBase

/// Which file has a name, so that it is seen when another one has taken its place: what is written to a file that nobody finds any more
/// is lost with the process.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    init(_ path: String) throws(StoreFault) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT {
                throw StoreFault(
                    .unavailable,
                    "\(Excerpt.quote(path)) is gone while it is in use: put it back before anything is restarted.")
            }
            throw DataFolder.fault(path, errno)
        }
        device = status.st_dev
        number = status.st_ino
    }

    /// Throws when the file of that name is not this one.
    func check(_ path: String) throws(StoreFault) {
        guard try FileIdentity(path) == self else { throw Self.replaced(path) }
    }

    private static func replaced(_ path: String) -> StoreFault {
        StoreFault(
            .unavailable,
            "\(Excerpt.quote(path)) is another file than the one that is in use: put that one back, or restart postern to use this one."
        )
    }
}
