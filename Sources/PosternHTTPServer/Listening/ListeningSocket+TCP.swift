internal import Glibc

extension ListeningSocket {
    static func tcp(_ address: String, _ port: UInt16) throws(Failure) -> ListeningSocket {
        let isIPv6 = address.utf8.contains(UInt8(ascii: ":"))
        let family = isIPv6 ? AF_INET6 : AF_INET
        let bytes = try socketAddress(address, port, isIPv6)
        let descriptor = try make(family)
        do throws(Failure) {
            var on: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            // Connections of a server that has just ended do not keep the port.
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
            // `::` is IPv6 alone, whatever the system's default is; who wants both names both.
            if isIPv6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size) }
            guard bind(descriptor, bytes) else { throw bindFailure(address, port) }
            guard listen(descriptor, backlog) == 0 else { throw bindFailure(address, port) }
            guard let bound = boundPort(descriptor) else { throw .system("The port of a socket is not known") }
            return ListeningSocket(descriptor, port: bound, isLocal: false)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func bindFailure(_ address: String, _ port: UInt16) -> Failure {
        let number = errno
        let place = address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
        guard number == EADDRINUSE else { return .system("Nothing can listen on \(place)", number) }
        return Failure(.inUse, "Another program listens on \(place): stop it, or choose another port.")
    }

    /// The bytes of a `sockaddr_in` or `sockaddr_in6`.
    private static func socketAddress(
        _ text: String,
        _ port: UInt16,
        _ isIPv6: Bool
    ) throws(Failure) -> [UInt8] {
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            if inet_pton(AF_INET6, text, &address.sin6_addr) == 1 { return withUnsafeBytes(of: &address) { Array($0) } }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            if inet_pton(AF_INET, text, &address.sin_addr) == 1 { return withUnsafeBytes(of: &address) { Array($0) } }
        }
        throw Failure(.invalid, "\"\(text)\" is no address: give one such as 127.0.0.1 or ::1.")
    }

    /// Binds to an address that is given as its bytes.
    static func bind(_ descriptor: Int32, _ address: [UInt8]) -> Bool {
        var storage = sockaddr_storage()
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard address.count <= bytes.count else { return false }
            bytes.copyBytes(from: address)
            return bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.bind(descriptor, $0.baseAddress, socklen_t(address.count)) == 0
            }
        }
    }

    /// The port that a socket is bound to; nil when it is none of TCP's.
    static func boundPort(_ descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            let isKnown = bytes.withMemoryRebound(to: sockaddr.self) {
                getsockname(descriptor, $0.baseAddress, &length) == 0
            }
            guard isKnown else { return nil }
            switch Int32(bytes.loadUnaligned(as: sockaddr.self).sa_family) {
            case AF_INET: return UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_port)
            case AF_INET6: return UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port)
            default: return nil
            }
        }
    }
}
