internal import CLinux
internal import Glibc

/// What Swift cannot ask the system for without help.
package enum SocketCall {
    /// The next connection of a listening socket, non-blocking and closed on exec; -1 with errno set.
    ///
    /// On TCP also the address of the other side: text without port or brackets, an IPv4 address in IPv6 as IPv4.
    package static func accept(_ listener: Int32) -> (descriptor: Int32, address: (text: String, port: UInt16)?) {
        var storage = sockaddr_storage()
        var length = UInt32(MemoryLayout<sockaddr_storage>.size)
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = postern_accept(listener, &storage, &length, flags)
        guard descriptor >= 0 else { return (descriptor, nil) }
        let family = Int32(storage.ss_family)
        let address = withUnsafeBytes(of: &storage) { bytes -> (text: String, port: UInt16)? in
            switch family {
            case AF_INET:
                let found = bytes.loadUnaligned(as: sockaddr_in.self)
                return (text(AF_INET, found.sin_addr), UInt16(bigEndian: found.sin_port))
            case AF_INET6:
                let found = bytes.loadUnaligned(as: sockaddr_in6.self)
                let written = text(AF_INET6, found.sin6_addr)
                let isMapped = written.hasPrefix("::ffff:") && written.contains(".")
                return (isMapped ? String(written.dropFirst(7)) : written, UInt16(bigEndian: found.sin6_port))
            default: return nil
            }
        }
        return (descriptor, address)
    }

    private static func text<Address>(_ family: Int32, _ address: Address) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            withUnsafePointer(to: address) { address in
                guard let base = buffer.baseAddress,
                    let found = inet_ntop(family, address, base, socklen_t(buffer.count))
                else { return "" }
                return String(cString: found)
            }
        }
    }

    /// Who connected to a Unix socket, as it was then.
    package struct Credentials: Sendable, Equatable {
        package var process: Int32 = 0
        package var user: UInt32 = 0
        package var group: UInt32 = 0
    }

    /// The other side of a Unix socket; nil when the system does not say.
    package static func peerCredentials(_ descriptor: Int32) -> Credentials? {
        // struct ucred, which is there with _GNU_SOURCE only: process, user, group.
        var found: (Int32, UInt32, UInt32) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: found))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &found, &length) == 0 else { return nil }
        return Credentials(process: found.0, user: found.1, group: found.2)
    }
}
