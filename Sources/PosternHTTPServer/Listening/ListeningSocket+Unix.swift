internal import Glibc

extension ListeningSocket {
    static func unix(_ socket: UnixSocket) throws(Failure) -> ListeningSocket {
        let address = try socketAddress(socket.path)
        try checkSafety(socket)
        let lock = try SocketLock(besideSocket: socket.path)
        do throws(Failure) {
            try removeStale(socket.path, address)
            return try listen(socket, address, lock)
        } catch {
            lock.release()
            throw error
        }
    }

    /// The bytes of a `sockaddr_un`.
    private static func socketAddress(_ path: String) throws(Failure) -> [UInt8] {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < capacity, !bytes.contains(0) else {
            throw Failure(
                .invalid, "The path of a Unix socket has 1 to \(capacity - 1) bytes; this one has \(bytes.count).")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafeBytes(of: &address) { Array($0) }
    }

    /// Who may write to the file may connect, and who may write to the folder may put another file there.
    private static func checkSafety(_ socket: UnixSocket) throws(Failure) {
        guard socket.mode & 0o002 == 0, socket.mode & ~0o777 == 0 else {
            throw Failure(
                .unsafe,
                "Everybody could connect to \(socket.path) with the mode \(String(socket.mode, radix: 8)): use 660 or 600."
            )
        }
        let folder = folder(of: socket.path)
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .system("The folder \(folder) cannot be looked at") }
        // The sticky bit keeps others from replacing the socket, but not from putting theirs there while there is none.
        guard status.st_mode & S_IWOTH == 0 else {
            throw Failure(
                .unsafe, "Everybody may write to \(folder) and could put another socket there: use a folder of its own."
            )
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Takes away what a server left that was killed. We have the lock, so a socket that answers is one of another program.
    private static func removeStale(_ path: String, _ address: [UInt8]) throws(Failure) {
        guard let found = FileIdentity(path: path) else { return }
        guard found.isSocket else {
            throw Failure(.inUse, "\(path) exists and is no socket: take it away, or choose another path.")
        }
        let probe = try make(AF_UNIX)
        defer { close(probe) }
        let isAlive = connects(probe, address)
        if isAlive { throw Failure(.inUse, "Another program listens on \(path): stop it, or choose another path.") }
        guard unlink(path) == 0 || errno == ENOENT else { throw .system("The old socket \(path) cannot be taken away") }
    }

    /// True also when the other side is only too busy to answer.
    private static func connects(_ descriptor: Int32, _ address: [UInt8]) -> Bool {
        var storage = sockaddr_storage()
        let result = withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.copyBytes(from: address)
            return bytes.withMemoryRebound(to: sockaddr.self) {
                connect(descriptor, $0.baseAddress, socklen_t(address.count))
            }
        }
        return result == 0 || errno != ECONNREFUSED && errno != ENOENT
    }

    /// Nobody can connect before `listen`, so the mode is right before it matters, and the umask is left alone.
    private static func listen(
        _ socket: UnixSocket,
        _ address: [UInt8],
        _ lock: SocketLock
    ) throws(Failure) -> ListeningSocket {
        let descriptor = try make(AF_UNIX)
        do throws(Failure) {
            guard bind(descriptor, address) else { throw .system("Nothing can listen on \(socket.path)") }
            guard let file = SocketFile(path: socket.path, lock: lock) else {
                throw .system("The socket \(socket.path) has gone")
            }
            do throws(Failure) {
                try own(socket)
                guard Glibc.listen(descriptor, backlog) == 0 else {
                    throw .system("Nothing can listen on \(socket.path)")
                }
            } catch {
                unlink(socket.path)
                throw error
            }
            return ListeningSocket(descriptor, port: nil, isLocal: true, file: file)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func own(_ socket: UnixSocket) throws(Failure) {
        if socket.owner != nil || socket.group != nil {
            // All ones leave an owner as it is.
            guard lchown(socket.path, socket.owner ?? .max, socket.group ?? .max) == 0 else {
                throw .system("The owner or group of \(socket.path) cannot be set")
            }
        }
        guard chmod(socket.path, socket.mode) == 0 else { throw .system("The mode of \(socket.path) cannot be set") }
    }
}
