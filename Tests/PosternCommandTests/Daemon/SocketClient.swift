import Foundation
import Glibc

/// A connection that asks one thing after the other; independent of the server under test.
final class SocketClient {
    struct Reply {
        let status: Int
        let head: String
        let body: Data

        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
        func text(_ name: String) -> String? { json[name] as? String }
        /// The code of a refusal, or the verdict.
        var word: String { text("code") ?? text("verdict") ?? "" }
    }

    private let descriptor: Int32
    private var buffer = Data()
    /// What `ask` sends with each request.
    var fields: [String] = []

    init(unix path: String) throws {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107))) }
        try connect(&address, MemoryLayout<sockaddr_un>.size)
    }

    /// `host` is an IPv4 address.
    init(host: UInt32 = 0x7F00_0001, port: Int) throws {
        descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = host.bigEndian
        try connect(&address, MemoryLayout<sockaddr_in>.size)
    }

    deinit { close(descriptor) }

    private func connect<Address>(_ address: inout Address, _ size: Int) throws {
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(size)) == 0
            }
        }
        guard isConnected else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // A server that says nothing is a failure and no test that hangs.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    func write(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            bytes = bytes.dropFirst(count)
        }
    }

    func ask(
        _ method: String,
        _ path: String,
        _ body: String = "",
        _ fields: [String] = [],
        contentType: String = "application/json"
    ) throws -> Reply {
        let own = ["Host: p", "Content-Type: \(contentType)", "Content-Length: \(body.utf8.count)"]
        let all = own + self.fields + fields
        try write("\(method) \(path) HTTP/1.1\r\n\(all.map { $0 + "\r\n" }.joined())\r\n\(body)")
        return try reply()
    }

    func reply() throws -> Reply {
        let end = Data("\r\n\r\n".utf8)
        while buffer.firstRange(of: end) == nil { try more() }
        guard let range = buffer.firstRange(of: end) else { throw DaemonFailure(text: "no head") }
        let head = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
        let length =
            head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        buffer = Data(buffer[range.upperBound...])
        while buffer.count < length { try more() }
        let body = Data(buffer.prefix(length))
        buffer = Data(buffer.dropFirst(length))
        return Reply(status: Int(head.dropFirst(9).prefix(3)) ?? 0, head: head, body: body)
    }

    private func more() throws {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { throw DaemonFailure(text: "the connection ended") }
        buffer += piece[..<count]
    }

    /// Whether something has come, or comes within the time; also at the end.
    func hasAnswer(within milliseconds: Int32) -> Bool {
        guard buffer.isEmpty else { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Sends nothing more.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The first of them that has been sent something.
    static func firstToHear(_ clients: [SocketClient]) throws -> SocketClient {
        var waiting = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&waiting, nfds_t(waiting.count), 120_000) > 0,
            let place = waiting.firstIndex(where: { $0.revents != 0 })
        else { throw DaemonFailure(text: "nobody is told anything") }
        return clients[place]
    }

    /// Whether the other side has ended the connection, in good order and with nothing more to say.
    func hasEnded() -> Bool {
        var byte: UInt8 = 0
        return buffer.isEmpty && recv(descriptor, &byte, 1, 0) == 0
    }

    // MARK: - What is asked most

    func nonce() throws -> String { try ask("POST", "/v1/nonces").text("nonce") ?? "" }

    func verify(_ token: String, _ nonce: String, _ more: String = "") throws -> Reply {
        try ask("POST", "/v1/verify", #"{"token":"\#(token)","nonce":"\#(nonce)"\#(more)}"#)
    }
}
