internal import Glibc

/// Named pipes, to whose other end nobody may ever come: who waits for that longer than a moment says so.
enum NamedPipe {
    private static let momentMilliseconds: Int32 = 1_000

    /// Waits until there is something to read, or its writers have gone. For a descriptor that does not block; of other files than
    /// pipes nothing is waited for.
    static func awaitWriter(_ descriptor: Int32, _ name: String) {
        guard !hasWriter(descriptor, within: momentMilliseconds) else { return }
        StandardStreams.complain("postern: waiting until somebody writes into \(name), which is a pipe\n")
        _ = hasWriter(descriptor, within: -1)
    }

    /// A signal that is caught ends no waiting: what is not there yet would be read as an empty file.
    private static func hasWriter(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var count = poll(&entry, 1, milliseconds)
        while count < 0, errno == EINTR { count = poll(&entry, 1, milliseconds) }
        return count != 0
    }

    /// Opens a pipe for writing, once somebody reads it: a descriptor, or -1.
    static func openForWriting(_ path: [CChar], _ name: String) -> Int32 {
        let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY
        let step: Int32 = 50
        for _ in 0..<momentMilliseconds / step {
            let descriptor = open(path, flags | O_NONBLOCK)
            // There is no reader yet.
            guard descriptor < 0, errno == ENXIO else { return descriptor }
            poll(nil, 0, step)
        }
        StandardStreams.complain("postern: waiting until somebody reads \(name), which is a pipe\n")
        return open(path, flags)
    }

    static func isOne(_ path: [CChar]) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
