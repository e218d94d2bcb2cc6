import Foundation
import Glibc

/// What this process has open, as the kernel tells it.
enum Descriptors {
    /// The open sockets that are connected to a port of 127.0.0.1.
    static func sockets(toPort port: Int) throws -> Int {
        let remote = String(format: "0100007F:%04X", port)
        // `String(contentsOfFile:)` stops after the first page of such a file.
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/net/tcp")).readToEnd() ?? Data()
        let connected = String(decoding: table, as: UTF8.self)
            .split(separator: "\n").dropFirst()
            .map { $0.split(separator: " ", omittingEmptySubsequences: true) }
            .filter { $0.count > 9 && $0[2] == remote }
            .map { "socket:[\($0[9])]" }
        return all().filter(connected.contains).count
    }

    /// What each descriptor refers to.
    static func all() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { name in
            var target = [CChar](repeating: 0, count: 256)
            let count = readlink("/proc/self/fd/\(name)", &target, target.count)
            return count > 0 ? String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
        }
    }

    static func threadCount() -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).count
    }
}

/// Whether the condition comes to hold; it is looked at again and again, for twenty minutes at most.
func eventually(_ condition: () throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(1_200)
    while ContinuousClock.now < end {
        if try condition() { return true }
        await Task.yield()
    }
    return try condition()
}
