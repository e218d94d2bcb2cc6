internal import Glibc

/// The address of a socket of this machine.
struct LocalPlace: Sendable {
    let family: Int32
    /// The bytes of a `sockaddr`.
    private let address: [UInt8]

    /// Nil when the path is longer than a socket's may be.
    static func unix(_ path: String) -> LocalPlace? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
            return nil
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return LocalPlace(family: AF_UNIX, address: withUnsafeBytes(of: &address) { Array($0) })
    }

    /// Nil when `text` is no address.
    static func tcp(_ text: String, _ port: UInt16) -> LocalPlace? {
        if text.utf8.contains(UInt8(ascii: ":")) {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { return nil }
            return LocalPlace(family: AF_INET6, address: withUnsafeBytes(of: &address) { Array($0) })
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return nil }
        return LocalPlace(family: AF_INET, address: withUnsafeBytes(of: &address) { Array($0) })
    }

    /// A new socket that does not block, or -1.
    func makeSocket() -> Int32 {
        socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    }

    /// 0, or the error number.
    func connect(_ descriptor: Int32) -> Int32 {
        withAddress { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
    }

    /// Whether a socket may have this address; with port 0 nobody else's port is touched.
    var canBeBound: Bool {
        let descriptor = makeSocket()
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withAddress { bind(descriptor, $0, $1) == 0 }
    }

    private func withAddress<Answer>(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Answer) -> Answer {
        var storage = sockaddr_storage()
        return withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.copyBytes(from: address.prefix(bytes.count))
            return bytes.withMemoryRebound(to: sockaddr.self) {
                body(UnsafePointer($0.baseAddress), socklen_t(address.count))
            }
        }
    }
}
