import Foundation

/// A process that a test talks with by lines.
final class Child {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var buffer: [UInt8] = []

    /// The first word is the path of the program.
    init(_ words: [String]) throws {
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    /// Python with the statements `code`, which see a connection `c` to the database.
    static func python(_ database: String, _ code: String) throws -> Child {
        let start = "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        return try Child(["/usr/bin/python3", "-u", "-c", start + code, database])
    }

    func say(_ line: String = "") throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// The next line; nil at the end.
    func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            buffer += more
        }
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// What else it has said; it has ended then.
    func rest() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return lines
    }
}

/// The program that stands beside the test bundle, wherever the build puts both.
enum StoreWriter {
    static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("PosternStoreWriter").path

    /// `prefix` is a command that runs it.
    static func start(_ arguments: [String], prefix: [String] = []) throws -> Child {
        try Child(prefix + [path] + arguments)
    }
}
