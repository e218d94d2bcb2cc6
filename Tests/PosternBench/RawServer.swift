import CLinux
import Glibc

/// The least that a server does for a request: it waits, reads, and writes bytes that are always the same. What ours costs more
/// is what reading HTTP and calling a responder costs.
final class RawServer: @unchecked Sendable {
    // @unchecked: the thread is joined before anything is looked at or freed.
    private let listener: Int32
    private let epoll = postern_epoll_create(0)
    private var thread = pthread_t()
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 200\r\n\r\n"
    private let answer = Array((RawServer.head + String(repeating: " ", count: 200)).utf8)
    private var connections: [Int32] = []

    init(_ path: String) throws {
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(listener, $0.baseAddress, socklen_t(bytes.count)) }
        }
        guard result == 0, listen(listener, 4_096) == 0 else { throw HTTPLoad.Failure(what: "bind") }
        watch(listener)
        guard pthread_create(&thread, nil, rawServerStart, Unmanaged.passRetained(self).toOpaque()) == 0 else {
            throw HTTPLoad.Failure(what: "pthread_create")
        }
    }

    private func watch(_ descriptor: Int32) {
        var event = postern_epoll_event(events: POSTERN_EPOLLIN, token: UInt64(descriptor))
        _ = postern_epoll_control(epoll, POSTERN_EPOLL_ADD, descriptor, &event)
    }

    /// Waits for the thread, which ends with the listener.
    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        pthread_join(thread, nil)
        for descriptor in connections + [listener, epoll] { close(descriptor) }
    }

    fileprivate func run() {
        let events = UnsafeMutablePointer<postern_epoll_event>.allocate(capacity: 256)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer {
            events.deallocate()
            buffer.deallocate()
        }
        while true {
            for index in 0..<max(0, Int(postern_epoll_wait(epoll, events, 256, -1))) {
                let descriptor = Int32(truncatingIfNeeded: events[index].token)
                if descriptor == listener {
                    let new = accept(listener, nil, nil)
                    guard new >= 0 else { return }
                    connections.append(new)
                    watch(new)
                } else {
                    serve(descriptor, buffer)
                }
            }
        }
    }

    private func serve(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count <= 0 {
            var event = postern_epoll_event()
            _ = postern_epoll_control(epoll, POSTERN_EPOLL_REMOVE, descriptor, &event)
        } else if buffer[0] == UInt8(ascii: "G") {
            let body = "\(Measurement.cpuTime())"
            let text = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            _ = Array(text.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        } else {
            _ = answer.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
    }
}

private func rawServerStart(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<RawServer>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
