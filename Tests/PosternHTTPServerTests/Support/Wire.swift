import Glibc

/// A plain socket of a client, blocking, with a bound on waiting so that a server that says nothing fails a test.
final class Wire {
    struct Failure: Error { let call: String, number: Int32 }

    private(set) var descriptor: Int32

    /// Connects to a path in the file system.
    init(path: String) throws {
        descriptor = try Wire.make(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        try connect(&address)
    }

    /// Connects to a port on 127.0.0.1.
    init(port: UInt16) throws {
        descriptor = try Wire.make(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try connect(&address)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close() }

    private static func make(_ family: Int32) throws -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    private func connect<Address>(_ address: inout Address) throws {
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard result == 0 else { throw Failure(call: "connect", number: errno) }
    }

    /// Sends everything; false when the other side has gone.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// Says that nothing more will be sent.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What has come when something has; nil at the end or when the connection was cut.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Everything up to the end.
    func receiveAll() -> [UInt8] {
        var all: [UInt8] = []
        while let piece = receive() { all += piece }
        return all
    }

    /// What `receive` ended with: true for an end in good order, false for a connection that was cut.
    var endedWell: Bool {
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 0
    }

    /// The next answer, read to its end and no further than what came with it.
    func answer(isHead: Bool = false) -> Answer? {
        while true {
            if let (answer, rest) = Answer.first(in: pending, isHead: isHead) {
                pending = rest
                return answer
            }
            guard let piece = receive() else { return nil }
            pending += piece
        }
    }

    private var pending: [UInt8] = []

    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Ends the connection so that the other side gets an error (TCP).
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }
}
