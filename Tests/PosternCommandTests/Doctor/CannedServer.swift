import Foundation
import Glibc

/// A Unix socket that gives the same answer to whoever connects; without one it never answers.
final class CannedServer: @unchecked Sendable {
    private let descriptor: Int32

    init(_ path: String, answer: String?, kind: __socket_type = SOCK_STREAM, mode: mode_t = 0o600) throws {
        descriptor = socket(AF_UNIX, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107))) }
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, chmod(path, mode) == 0 else { throw DaemonFailure(text: "no socket at \(path)") }
        if kind == SOCK_STREAM { listen(descriptor, 8) }
        guard let answer else { return }
        let listener = descriptor
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &request, request.count, 0)
                _ = answer.withCString { send(connection, $0, answer.utf8.count, Int32(MSG_NOSIGNAL)) }
                close(connection)
            }
        }
    }

    deinit {
        // Wakes the thread that accepts.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// What a daemon says of its health.
    static func health(_ status: Int, _ body: String) -> String {
        "HTTP/1.1 \(status) Fine\r\nContent-Type: application/health+json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
