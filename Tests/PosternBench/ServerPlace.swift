import Glibc

/// Where a server listens.
enum ServerPlace {
    case unix(String)
    case loopback(port: UInt16)

    /// A connection that blocks.
    func connect() throws -> Int32 {
        switch self {
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
                throw HTTPLoad.Failure(what: "the path of the socket is too long: \(path)")
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            return try Self.connect(AF_UNIX, address)
        case .loopback(let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = port.bigEndian
            let descriptor = try Self.connect(AF_INET, address)
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            return descriptor
        }
    }

    private static func connect<Address>(_ family: Int32, _ address: Address) throws -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw HTTPLoad.Failure(what: "socket: are there descriptors left?") }
        let result = withUnsafeBytes(of: address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw HTTPLoad.Failure(what: "connect")
        }
        return descriptor
    }
}
