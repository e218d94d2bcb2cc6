internal import Glibc
internal import PosternBase
internal import PosternHTTPServer

/// Why a Unix socket of the settings cannot be opened where somebody has it open already, systemd for the most part: the failure
/// itself speaks of a lock file or of another program.
enum SocketTaken {
    /// What to add to the failure; nothing where nobody has it.
    static func hint(_ place: ListenerSettings.Place, _ handedOver: InheritedSockets) -> String {
        guard case .unix(let path, _, _, _) = place else { return "" }
        if let index = index(of: path, handedOver) {
            return
                " The service manager hands this very socket over: say \"inherited\": \(index) and \"doors\" in place of "
                + "unix."
        }
        guard answers(path) else { return "" }
        return " Somebody listens there. If it is systemd for this service (postern.socket), say \"inherited\": 0 and "
            + "\"doors\" in place of unix."
    }

    private static func index(of path: String, _ sockets: InheritedSockets) -> Int? {
        (0..<min(64, sockets.count)).first { index in
            name(of: sockets.first &+ Int32(clamping: index)).map { $0 == Array(path.utf8) } ?? false
        }
    }

    /// The path that a Unix socket is bound to; nil for everything else.
    private static func name(of descriptor: Int32) -> [UInt8]? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        return withUnsafeBytes(of: &address.sun_path) { Array($0.prefix { $0 != 0 }) }
    }

    private static func answers(_ path: String) -> Bool {
        guard let place = LocalPlace.unix(path) else { return false }
        let descriptor = place.makeSocket()
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // With a full queue somebody listens too.
        return [0, EAGAIN, EINPROGRESS].contains(place.connect(descriptor))
    }
}
