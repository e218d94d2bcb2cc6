internal import Glibc

extension ListeningSocket {
    /// A socket of the service manager, which made it and takes it away.
    static func inherited(_ place: Int, _ sockets: InheritedSockets) throws(Failure) -> ListeningSocket {
        guard place >= 0, place < sockets.count, let offset = Int32(exactly: place) else {
            throw Failure(
                .invalid,
                "Socket \(place) was not handed over: LISTEN_FDS and LISTEN_PID tell of \(sockets.count) for this process."
            )
        }
        let descriptor = sockets.first + offset
        guard option(descriptor, SO_TYPE) == Int32(SOCK_STREAM.rawValue), option(descriptor, SO_ACCEPTCONN) == 1 else {
            throw Failure(.invalid, "What was handed over as socket \(place) is no stream socket that listens.")
        }
        let family = option(descriptor, SO_DOMAIN)
        guard family == AF_UNIX || family == AF_INET || family == AF_INET6 else {
            throw Failure(.invalid, "What was handed over as socket \(place) is neither a Unix socket nor TCP.")
        }
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .system("Socket \(place) could not be set up") }
        return ListeningSocket(descriptor, port: boundPort(descriptor), isLocal: family == AF_UNIX)
    }
}
