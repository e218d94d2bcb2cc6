import Foundation
import Glibc

/// What the system says of a process.
struct ProcessState {
    let identifier: Int32

    /// A sanitizer keeps what is freed for a while, so memory says nothing there.
    static let hasSanitizer = ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains {
        ProcessInfo.processInfo.environment[$0] != nil
    }

    /// What stands behind each of its descriptors, such as `socket:[4711]`, in no order.
    func descriptors() throws -> [String] {
        let folder = "/proc/\(identifier)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            // One that is closed while we look has none.
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
    }

    func sockets() throws -> Set<String> { Set(try descriptors().filter { $0.hasPrefix("socket:") }) }

    /// The memory that no file stands behind, in KiB (`RssAnon`).
    func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = status.components(separatedBy: "\n").first { $0.hasPrefix("RssAnon:") }
        guard let number = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
            throw DaemonFailure(text: "no RssAnon in \(status)")
        }
        return number
    }

    /// Waits until it has that many descriptors; how many it has.
    func settled(at count: Int) throws -> Int {
        let end = Date(timeIntervalSinceNow: 120)
        var now = try descriptors().count
        while now != count, Date() < end {
            usleep(20_000)
            now = try descriptors().count
        }
        return now
    }
}

/// Ports that a process may be told to listen on: outside the range from which the system takes those of clients.
enum FreePort {
    static func find() throws -> Int {
        for _ in 0..<1000 {
            let port = Int.random(in: 10_000..<32_000)
            if isFree(port) { return port }
        }
        throw DaemonFailure(text: "no port is free")
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
