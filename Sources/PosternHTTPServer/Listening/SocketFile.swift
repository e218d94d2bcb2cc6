internal import Glibc

/// The file of a Unix socket, and the lock beside it that says whose it is.
struct SocketFile {
    let path: String
    let lock: SocketLock
    private let identity: FileIdentity

    /// Of the file as it lies there now.
    init?(path: String, lock: SocketLock) {
        guard let identity = FileIdentity(path: path) else { return nil }
        self.path = path
        self.lock = lock
        self.identity = identity
    }

    /// Takes the file away if it is still the same.
    func hide() {
        if FileIdentity(path: path) == identity { unlink(path) }
    }

    /// The same; the lock last, so that nobody else begins in between.
    func remove() {
        hide()
        lock.release()
    }
}

/// What tells a file from every other that exists.
struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t
    let mode: mode_t

    /// Of the file itself, not of what a link points at.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = status.st_dev
        number = status.st_ino
        mode = status.st_mode
    }

    var isSocket: Bool { mode & S_IFMT == S_IFSOCK }

    static func == (left: FileIdentity, right: FileIdentity) -> Bool {
        left.device == right.device && left.number == right.number
    }
}
