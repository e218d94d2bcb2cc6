internal import Glibc
internal import PosternAccounts
internal import PosternBase

/// A file that is to become the database. It is opened once, so that what is looked at is what is copied.
final class BackupFile {
    private static let chunk = 1 << 20

    let name: String
    private let path: String
    private let descriptor: Int32
    private let status: stat

    init(_ path: String) throws(StoreFault) {
        self.path = path
        name = Excerpt.quote(path)
        // Without O_NONBLOCK a pipe would be waited for.
        descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        var status = stat()
        let number = descriptor >= 0 && fstat(descriptor, &status) == 0 ? 0 : errno
        self.status = status
        guard number != ELOOP else { throw refused("is a link: name the file itself.") }
        guard number == 0 else { throw DataFolder.fault(path, number) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw refused("is not a file.") }
        var log = stat()
        guard lstat(path + "-wal", &log) != 0 || log.st_size == 0 else {
            throw refused(
                "is not whole without \(Excerpt.quote(path + "-wal")), which is beside it: name what postern backup has written."
            )
        }
        try checkHead()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var size: Int64 { Int64(status.st_size) }

    private func refused(_ what: String) -> StoreFault { StoreFault(.unavailable, "\(name) \(what)") }

    private func checkHead() throws(StoreFault) {
        switch DatabaseHead(of: descriptor) {
        case .ours: break
        case .anotherProgram: throw refused("is a database of another program: name what postern backup has written.")
        case .other, .empty: throw refused("is no database: name what postern backup has written.")
        case nil: throw DataFolder.fault(path, errno)
        }
    }

    /// Whether this is the file of that name.
    func isFile(_ path: String) -> Bool {
        var other = stat()
        return lstat(path, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
    }

    /// Copies all of it to a new file for the owner alone.
    func copy(to target: String, progress: (Int64) -> Void) throws(StoreFault) {
        let copy = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw DataFolder.fault(target, errno) }
        defer { close(copy) }
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        var place: Int64 = 0
        while true {
            let count = pread(descriptor, &bytes, bytes.count, off_t(place))
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw DataFolder.fault(path, errno)
            }
            try Self.write(bytes[..<count], to: copy, target)
            place += Int64(count)
            progress(place)
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32, _ name: String) throws(StoreFault) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw DataFolder.fault(name, count == 0 ? ENOSPC : errno)
            }
            rest = rest.dropFirst(count)
        }
    }
}
