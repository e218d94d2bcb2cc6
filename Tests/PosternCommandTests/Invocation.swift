import Foundation
import PosternTestSupport

/// One run of the built program as a user starts it.
struct Invocation {
    let status: Int32
    let output: Data
    let complaint: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// The object on standard output.
    func json() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: output)
        guard let members = object as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
        return members
    }

    /// The program stands beside the test bundle, wherever the build puts both.
    static let program: URL = {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appendingPathComponent("postern")
    }()

    /// Standard input is a file rather than a pipe: a pipe's end could be inherited by a run that another test starts.
    static func run(
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        output destination: FileHandle? = nil
    ) throws -> Invocation {
        let folder = try TemporaryFolder()
        return try run(
            program,
            arguments,
            input: FileHandle(forReadingFrom: folder.file(containing: input)),
            environment: environment,
            output: destination
        )
    }

    /// Runs a line of shell in which `$0` is the program and `$1` … are `arguments`.
    static func shell(_ line: String, _ arguments: [String] = []) throws -> Invocation {
        let shell = URL(fileURLWithPath: "/bin/sh")
        return try run(
            shell, ["-c", line, program.path] + arguments, input: .nullDevice, environment: [:], output: nil)
    }

    static func run(
        _ executable: URL,
        _ arguments: [String],
        input: FileHandle,
        environment: [String: String],
        output destination: FileHandle?
    ) throws -> Invocation {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        process.standardInput = input
        let output = Pipe()
        let complaint = Pipe()
        process.standardOutput = destination ?? output
        process.standardError = complaint
        try process.run()
        if destination != nil { try output.fileHandleForWriting.close() }
        let written = output.fileHandleForReading.rest()
        let said = complaint.fileHandleForReading.rest()
        process.waitUntilExit()
        // A signal is no exit status; a trap must not pass for one.
        let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Invocation(status: status, output: written, complaint: String(decoding: said, as: UTF8.self))
    }
}

/// A folder that is gone with its owner.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("postern-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(containing data: Data, called name: String = "input") throws -> URL {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }
}
