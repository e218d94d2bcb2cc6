internal import Glibc
internal import PosternHTTP

/// Who is counted as one at a listener: a user of this machine, an IPv4 address, a /64 network of IPv6, which is what one
/// machine is usually given. All of loopback is one: any process may call from any address of it.
struct PeerKey: Hashable {
    enum Who: Hashable {
        case user(UInt32)
        case loopback
        case address(UInt32)
        case network(UInt64)
        case unknown
    }

    let listener: Int
    let who: Who

    init(_ peer: Peer, listener: Int) {
        self.listener = listener
        who =
            switch peer {
            case .process(let user, _, _): .user(user)
            case .address(let text, _): PeerKey.who(text)
            }
    }

    private static func who(_ text: String) -> Who {
        var bytes = (UInt64(0), UInt64(0))
        if inet_pton(AF_INET, text, &bytes) == 1 {
            let address = UInt32(truncatingIfNeeded: UInt64(bigEndian: bytes.0) >> 32)
            return address >> 24 == 127 ? .loopback : .address(address)
        }
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return .unknown }
        let (network, host) = (UInt64(bigEndian: bytes.0), UInt64(bigEndian: bytes.1))
        return network == 0 && host == 1 ? .loopback : .network(network)
    }
}
