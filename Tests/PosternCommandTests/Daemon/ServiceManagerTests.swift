import Foundation
import Glibc
import Testing

/// What a service manager hears of the daemon.
@Suite(.onAThreadOfItsOwn) struct ServiceManagerTests {
    @Test(arguments: [false, true])
    func readyAliveAndStopping(_ isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("notify").path
        let manager = try DatagramSocket(isAbstract ? "@\(path)" : path)
        let environment = ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "20000"]
        let daemon = try DaemonIssuer.daemon(in: folder, environment: environment)
        let ready = try manager.receive()
        #expect(ready.contains("READY=1") && ready.contains("MAINPID=\(daemon.identifier)"))
        // What it said is true.
        #expect(try SocketClient(unix: daemon.socket).ask("GET", "/health/live").status == 200)
        for _ in 0..<3 { #expect(try manager.receive() == ["WATCHDOG=1"]) }
        daemon.signal(SIGTERM)
        var last = try manager.receive()
        while last == ["WATCHDOG=1"] { last = try manager.receive() }
        #expect(last.contains("STOPPING=1"))
        #expect(daemon.end() == 0)
    }

    /// A reload is told, with the time that systemd asks for, and how it ended.
    @Test func reloads() throws {
        let folder = try TemporaryFolder()
        let manager = try DatagramSocket(folder.url.appendingPathComponent("notify").path)
        let daemon = try DaemonIssuer.daemon(in: folder, environment: ["NOTIFY_SOCKET": manager.name])
        #expect(try manager.receive().contains("STATUS=Serving"))
        for isGood in [true, false] {
            if !isGood { unlink(folder.url.appendingPathComponent("settings.json").path) }
            var before = timespec()
            clock_gettime(CLOCK_MONOTONIC, &before)
            daemon.signal(SIGHUP)
            let reloading = try manager.receive()
            #expect(reloading.first == "RELOADING=1")
            let time = try #require(reloading.last?.split(separator: "=").last.flatMap { Int($0) })
            #expect(reloading.last?.hasPrefix("MONOTONIC_USEC=") == true && time >= before.tv_sec * 1_000_000)
            let ready = try manager.receive()
            #expect(ready.contains("READY=1") && ready.contains("STATUS=Serving") == isGood)
            #expect(
                isGood || ready.contains { $0.hasPrefix("STATUS=Serving under the settings of before: the settings") })
        }
    }

    /// A socket that nobody reads holds up nothing; what was to be said is said once there is room, and that it was not is logged.
    @Test func nobodyReads() throws {
        let folder = try TemporaryFolder()
        let manager = try DatagramSocket(folder.url.appendingPathComponent("notify").path)
        let others = try manager.fill()
        let daemon = try DaemonIssuer.daemon(
            in: folder, environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "20000"])
        let told = try daemon.wait(for: "manager_not_told")
        #expect(told["message"] as? String == "NOTIFY_SOCKET is full, and nobody reads it")
        let client = try daemon.connect()
        #expect(try client.ask("GET", "/health/live").status == 200)
        daemon.signal(SIGHUP)
        try daemon.wait(for: "reloaded")
        #expect(try client.ask("GET", "/health/live").status == 200)
        for _ in 0..<others { #expect(try manager.receive() == ["full"]) }
        // In order, with one sign of life among them.
        var heard: [String] = []
        while heard.count < 3 {
            let first = try #require(manager.receive().first)
            if first != "WATCHDOG=1" { heard.append(first) }
        }
        #expect(heard == ["READY=1", "RELOADING=1", "READY=1"])
        #expect(try manager.receive() == ["WATCHDOG=1"])
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
        #expect(daemon.log.components(separatedBy: "manager_not_told").count == 2)
    }

    /// Full to the end: it ends all the same.
    @Test func nobodyReadsToTheEnd() throws {
        let folder = try TemporaryFolder()
        let manager = try DatagramSocket(folder.url.appendingPathComponent("notify").path)
        _ = try manager.fill()
        let daemon = try DaemonIssuer.daemon(in: folder, environment: ["NOTIFY_SOCKET": manager.name])
        try daemon.wait(for: "manager_not_told")
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
    }

    /// A watchdog of another process is not fed, and who is not asked says nothing of it.
    @Test(arguments: [
        ["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"], ["WATCHDOG_USEC": "x"], ["WATCHDOG_USEC": "0"], [:],
    ])
    func noWatchdog(_ more: [String: String]) throws {
        let folder = try TemporaryFolder()
        let manager = try DatagramSocket(folder.url.appendingPathComponent("notify").path)
        let daemon = try DaemonIssuer.daemon(
            in: folder, environment: more.merging(["NOTIFY_SOCKET": manager.name]) { $1 })
        #expect(try manager.receive().contains("READY=1"))
        daemon.signal(SIGTERM)
        #expect(try manager.receive().contains("STOPPING=1"))
        #expect(daemon.end() == 0)
    }

    /// Nobody there, or nobody who could be told: the daemon serves all the same.
    @Test(arguments: ["/nonexistent/notify", "relative", "vsock:2:1", "@", "/" + String(repeating: "a", count: 200)])
    func nobodyListens(_ name: String) throws {
        let daemon = try DaemonIssuer.daemon(in: TemporaryFolder(), environment: ["NOTIFY_SOCKET": name])
        #expect(try daemon.connect().ask("GET", "/health/live").status == 200)
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
        #expect(daemon.log.components(separatedBy: "manager_not_told").count == 2)
    }
}

/// Where datagrams arrive.
private final class DatagramSocket {
    let name: String
    private let descriptor: Int32
    private let address: sockaddr_un
    private let length: socklen_t

    /// `name`: a path, or one of the abstract kind with `@` before it.
    init(_ name: String) throws {
        self.name = name
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count)
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        (self.descriptor, self.address, self.length) = (descriptor, address, length)
        guard descriptor >= 0, result == 0 else { throw DaemonFailure(text: "no socket at \(name)") }
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends itself what it has room for; how many that were.
    func fill() throws -> Int {
        let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(sender) }
        for count in 0..<100_000 {
            let sent = withUnsafePointer(to: address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(sender, "full", 4, Int32(MSG_DONTWAIT), $0, length)
                }
            }
            if sent < 0 {
                guard errno == EAGAIN else { break }
                return count
            }
        }
        throw DaemonFailure(text: "the socket does not fill")
    }

    /// The lines of the next one.
    func receive() throws -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { throw DaemonFailure(text: "no datagram came") }
        return String(decoding: bytes[..<count], as: UTF8.self).components(separatedBy: "\n")
    }
}
