import CLinux
import Glibc

/// Keeps connections busy: each sends its next request as soon as it has the answer to the last.
final class HTTPLoad {
    struct Failure: Error { let what: String }

    private let epoll = postern_epoll_create(0)
    private var descriptors: [Int32] = []
    private let control: Int32
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// As large as an identity token in JSON.
    private static let request = Array(
        ("POST /v1/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n"
            + "User-Agent: bench\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1_000)).utf8)

    init(_ path: String, _ connections: Int) throws {
        control = try Self.connect(path)
        for number in 0..<connections {
            let descriptor = try Self.connect(path)
            descriptors.append(descriptor)
            var event = postern_epoll_event(events: POSTERN_EPOLLIN, token: UInt64(number))
            guard postern_epoll_control(epoll, POSTERN_EPOLL_ADD, descriptor, &event) == 0 else {
                throw Failure(what: "epoll_ctl")
            }
        }
    }

    deinit { for descriptor in descriptors + [control, epoll] { close(descriptor) } }

    private static func connect(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(what: "socket: are there descriptors left?") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard result == 0 else { throw Failure(what: "connect") }
        return descriptor
    }

    /// Has so many requests answered in all.
    func run(_ count: Int) throws {
        var (sent, answered) = (0, 0)
        for descriptor in descriptors where sent < count {
            try send(descriptor)
            sent += 1
        }
        let events = UnsafeMutablePointer<postern_epoll_event>.allocate(capacity: 512)
        defer { events.deallocate() }
        while answered < count {
            let ready = postern_epoll_wait(epoll, events, 512, 10_000)
            guard ready > 0 else { throw Failure(what: "no answer within 10 s") }
            for index in 0..<Int(ready) {
                let descriptor = descriptors[Int(events[index].token)]
                // An answer is small enough to come at once.
                guard read(descriptor, &buffer, buffer.count) > 200, buffer[9] == 0x32 else {
                    throw Failure(what: "a bad answer: \(String(decoding: buffer.prefix(80), as: UTF8.self))")
                }
                answered += 1
                guard sent < count else { continue }
                try send(descriptor)
                sent += 1
            }
        }
    }

    private func send(_ descriptor: Int32) throws {
        let count = Self.request.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == Self.request.count else { throw Failure(what: "write") }
    }

    /// The CPU seconds that the server's thread has used.
    func serverTime() throws -> Double {
        let request = Array("GET /time HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        _ = request.withUnsafeBytes { write(control, $0.baseAddress, $0.count) }
        let count = read(control, &buffer, buffer.count)
        let text = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        guard let body = text.split(separator: "\r\n").last, let time = Double(body) else {
            throw Failure(what: "time")
        }
        return time
    }
}
