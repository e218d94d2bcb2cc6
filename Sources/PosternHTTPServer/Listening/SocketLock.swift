internal import Glibc

/// A lock file beside a socket. The system lets go of it when the process ends, however it ends, so what is left of a process
/// that was killed stops nobody.
struct SocketLock {
    let path: String
    private let descriptor: Int32

    /// Takes the lock, or says who has it.
    init(besideSocket socket: String) throws(ListeningSocket.Failure) {
        path = socket + ".lock"
        // Another server may take the file away between opening and locking; then it is not the one that others see.
        for _ in 0..<100 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw .system("The lock file \(path) cannot be opened") }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let number = errno
                close(descriptor)
                guard number == EWOULDBLOCK else { throw .system("The lock file \(path) cannot be locked", number) }
                throw .init(.inUse, "Another server listens on \(socket): stop it, or choose another path.")
            }
            if let own = FileIdentity(descriptor: descriptor), own == FileIdentity(path: path) {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
        throw .init(.system, "The lock file \(path) is being replaced all the time.")
    }

    /// Takes the file away while it is still locked, if it is still this one, then lets go.
    func release() {
        if FileIdentity(path: path) == FileIdentity(descriptor: descriptor) { unlink(path) }
        close(descriptor)
    }
}
