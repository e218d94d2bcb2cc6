internal import Glibc

/// Why a file could not be used.
struct FileFailure: Error {
    /// The system's number; 0 when it is our own rule.
    let number: Int32
    let code: DiskCopyFault.Code
    let text: String

    init(_ code: DiskCopyFault.Code, _ text: String) {
        number = 0
        self.code = code
        self.text = text
    }

    private init(number: Int32) {
        self.number = number
        // O_NOFOLLOW answers ELOOP for a link.
        code = number == ELOOP || number == ENOTDIR || number == EISDIR ? .notAFile : .system
        text = number == ELOOP ? "it is a symbolic link" : strerror(number).map { String(cString: $0) } ?? "\(number)"
    }

    /// What the last call of the system failed with.
    static func last() -> FileFailure { FileFailure(number: errno) }
    static let noProgress = FileFailure(number: EIO)
}

/// An open file that is closed with its last use.
struct FileDescriptor: ~Copyable {
    let number: Int32

    /// Opens `path` as seen from `folder`; not for programs that this one starts.
    init(_ path: String, in folder: borrowing FileDescriptor, _ flags: Int32, mode: mode_t = 0) throws(FileFailure) {
        let number = openat(folder.number, path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw .last() }
        self.number = number
    }

    init(_ path: String, _ flags: Int32) throws(FileFailure) {
        let number = open(path, flags | O_CLOEXEC)
        guard number >= 0 else { throw .last() }
        self.number = number
    }

    deinit { close(number) }

    func status() throws(FileFailure) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last() }
        return status
    }

    /// The content, up to `limit` bytes of it.
    func read(upTo limit: Int) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let count = Glibc.read(number, &chunk, min(chunk.count, limit - bytes.count))
            if count > 0 {
                bytes += chunk[..<count]
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw .last()
            }
        }
        return bytes
    }

    func write(_ bytes: [UInt8]) throws(FileFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            guard count != 0 else { throw .noProgress }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                throw .last()
            }
        }
    }

    /// Waits until the content is on the disk.
    func synchronize() throws(FileFailure) {
        while fsync(number) != 0 {
            guard errno == EINTR else { throw .last() }
        }
    }
}
