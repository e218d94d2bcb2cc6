internal import Glibc

/// A socket that listens, and what is to be tidied up when it stops.
final class ListeningSocket {
    private(set) var descriptor: Int32
    /// The port, on TCP.
    let port: UInt16?
    /// Connections come from processes of this machine, which the system names.
    let isLocal: Bool
    private var file: SocketFile?

    init(_ descriptor: Int32, port: UInt16?, isLocal: Bool, file: SocketFile? = nil) {
        self.descriptor = descriptor
        self.port = port
        self.isLocal = isLocal
        self.file = file
    }

    deinit { stop() }

    /// Takes the file away, so that nobody connects any more by its name.
    func hide() { file?.hide() }

    /// Takes the file away, if there is one and it is still this socket's, and closes.
    func stop() {
        guard descriptor >= 0 else { return }
        file?.remove()
        close(descriptor)
        descriptor = -1
    }

    /// How many connections may wait to be taken; the system has a bound of its own.
    static let backlog: Int32 = 4_096

    /// Opens what is described.
    static func open(
        _ listener: Listener,
        at index: Int,
        inherited: InheritedSockets
    ) throws(ServerError) -> ListeningSocket {
        do throws(Failure) {
            switch listener {
            case .unix(let socket): return try unix(socket)
            case .tcp(let address, let port): return try tcp(address, port)
            case .inherited(let place): return try Self.inherited(place, inherited)
            }
        } catch {
            throw ServerError(error.code, listener: index, error.message)
        }
    }

    /// A `ServerError` that does not know yet which listener it is about.
    struct Failure: Error {
        let code: ServerError.Code
        let message: String

        init(_ code: ServerError.Code, _ message: String) {
            self.code = code
            self.message = message
        }

        /// What the system said.
        static func system(_ what: String, _ number: Int32 = errno) -> Failure {
            Failure(.system, "\(what): \(String(cString: strerror(number))).")
        }
    }

    /// A new socket that does not block and is closed on exec.
    static func make(_ family: Int32) throws(Failure) -> Int32 {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, flags, 0)
        guard descriptor >= 0 else { throw .system("A socket could not be made") }
        return descriptor
    }

    /// An option of the socket level that is a number.
    static func option(_ descriptor: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
