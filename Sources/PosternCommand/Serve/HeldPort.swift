internal import Glibc

/// A port of 127.0.0.1 that nobody else is given, as long as this is there, before who is meant listens on it.
final class HeldPort: Sendable {
    let number: UInt16
    private let descriptor: Int32

    /// `wished` where it is free, else one of the system's choice; nil where there is none.
    init?(preferring wished: UInt16) {
        guard let held = Self.bind(wished) ?? Self.bind(0) else { return nil }
        (descriptor, number) = held
    }

    deinit { close(descriptor) }

    private static func bind(_ port: UInt16) -> (descriptor: Int32, port: UInt16)? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        guard let bound = bind(descriptor, port) else {
            close(descriptor)
            return nil
        }
        // From now on a listener may have it too, which says the same; whoever looks for a free port does not get it (socket(7)).
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        return (descriptor, bound)
    }

    private static func bind(_ descriptor: Int32, _ port: UInt16) -> UInt16? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { address in
                Glibc.bind(descriptor, address.baseAddress, size) == 0
                    && getsockname(descriptor, address.baseAddress, &size) == 0
            }
        }
        return isBound ? UInt16(bigEndian: address.sin_port) : nil
    }
}
