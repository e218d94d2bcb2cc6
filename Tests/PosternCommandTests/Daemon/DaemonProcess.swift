import Foundation
import Glibc
import PosternTestSupport

/// A run of `postern serve`, which ends with its owner.
final class DaemonProcess {
    let folder: TemporaryFolder
    private let process = Process()
    private let lines = DaemonLog()

    var identifier: Int32 { process.processIdentifier }
    var state: ProcessState { ProcessState(identifier: identifier) }

    var socket: String { folder.url.appendingPathComponent("p.sock").path }

    /// Starts with these settings; `SOCKET` in them stands for the path of a socket in the folder.
    convenience init(
        _ settings: String,
        in folder: TemporaryFolder? = nil,
        environment: [String: String] = [:]
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        let path = folder.url.appendingPathComponent("p.sock").path
        let text = settings.replacingOccurrences(of: "SOCKET", with: path)
        let file = try folder.file(containing: Data(text.utf8), called: "settings.json")
        try self.init(arguments: ["--config", file.path], in: folder, environment: environment)
    }

    convenience init(
        arguments: [String],
        in folder: TemporaryFolder,
        environment: [String: String] = [:]
    ) throws {
        try self.init(
            command: [Invocation.program.path, "serve"] + arguments, in: folder, environment: environment)
    }

    /// Starts a program, given by its path, that is the daemon or becomes it.
    init(command: [String], in folder: TemporaryFolder, environment: [String: String] = [:]) throws {
        self.folder = folder
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ["PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": folder.url.path].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        lines.read(pipe.fileHandleForReading)
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Everything it has said so far.
    var log: String { lines.text }

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
        guard let found = lines.wait(find) else { throw DaemonFailure(text: "\(complaint) in \(log)") }
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
