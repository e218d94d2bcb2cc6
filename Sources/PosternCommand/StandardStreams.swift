internal import Glibc

/// Writing that notices when it does not succeed.
enum StandardStreams {
    /// Takes the places of streams that were closed by who started us, so that no other file gets them and is written to. To use
    /// them fails as before: they are open in the wrong direction.
    static func occupyClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest that is free is taken, and those below are not.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// nil, or the error number of the write that failed.
    static func write(_ text: String, to descriptor: Int32) -> Int32? { write(Array(text.utf8), to: descriptor) }

    /// nil, or the error number of the write that failed.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // Somebody made the pipe non-blocking; wait until it takes more.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// Writes the answer; closing tells what some file systems keep back until then.
    static func finishOutput(_ text: String) -> Int32? {
        if let failure = write(text, to: STDOUT_FILENO) { return failure }
        return close(STDOUT_FILENO) == 0 || errno == EINTR ? nil : errno
    }

    static func complain(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    static func explanation(of error: Int32) -> String {
        guard let text = strerror(error) else { return "error \(error)" }
        return String(cString: text)
    }
}
