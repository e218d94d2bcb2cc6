import Foundation
import Glibc
import PosternTestSupport

/// A run of `postern serve`, which ends with its owner.
final class DaemonProcess: @unchecked Sendable {
    // @unchecked: what the reading thread and the test share is behind `condition`.
    let folder: TemporaryFolder
    private let process = Process()
    private let condition = NSCondition()
    private var lines: [String] = []
    private var isAtEnd = false

    var identifier: Int32 { process.processIdentifier }
    var state: ProcessState { ProcessState(identifier: identifier) }

    var socket: String { folder.url.appendingPathComponent("p.sock").path }

    /// Starts with these settings; `SOCKET` in them stands for the path of a socket in the folder.
    convenience init(_ settings: String, in folder: TemporaryFolder? = nil) throws {
        let folder = try folder ?? TemporaryFolder()
        let path = folder.url.appendingPathComponent("p.sock").path
        let text = settings.replacingOccurrences(of: "SOCKET", with: path)
        let file = try folder.file(containing: Data(text.utf8), called: "settings.json")
        try self.init(arguments: ["--config", file.path], in: folder)
    }

    convenience init(arguments: [String], in folder: TemporaryFolder) throws {
        try self.init(command: [Invocation.program.path, "serve"] + arguments, in: folder)
    }

    /// Starts a program, given by its path, that is the daemon or becomes it.
    init(command: [String], in folder: TemporaryFolder) throws {
        self.folder = folder
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ["PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": folder.url.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in read(handle) }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    private func read(_ handle: FileHandle) {
        var rest = Data()
        while case let piece = handle.availableData, !piece.isEmpty {
            rest += piece
            while let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = rest[rest.index(after: end)...]
                condition.withLock {
                    lines.append(line)
                    condition.broadcast()
                }
            }
        }
        condition.withLock {
            isAtEnd = true
            condition.broadcast()
        }
    }

    /// Everything it has said so far.
    var log: String { condition.withLock { lines.joined(separator: "\n") } }

    /// Waits until it has told `count` events of that name; the last of them.
    @discardableResult
    func wait(for event: String, count: Int = 1) throws -> [String: Any] {
        try wait("no \(event)") { lines in
            let events = lines.compactMap(Self.event).filter { $0["event"] as? String == event }
            return events.count >= count ? events.last : nil
        }
    }

    /// Waits until `find` finds what it looks for in the lines so far.
    func wait<Found>(_ complaint: String, _ find: ([String]) -> Found?) throws -> Found {
        let found = condition.withLock { () -> Found? in
            let end = Date(timeIntervalSinceNow: 120)
            while true {
                if let found = find(lines) { return found }
                guard !isAtEnd, condition.wait(until: end) else { return nil }
            }
        }
        guard let found else { throw DaemonFailure(text: "\(complaint) in \(log)") }
        return found
    }

    private static func event(_ line: String) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// The exit status once it has ended; below 0 for a signal.
    func end() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// A connection to its socket, once it listens.
    func connect() throws -> SocketClient {
        try wait(for: "listening")
        return try SocketClient(unix: socket)
    }
}

struct DaemonFailure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
