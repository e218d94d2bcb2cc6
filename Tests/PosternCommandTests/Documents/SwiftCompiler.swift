import Foundation
import PosternTestSupport

/// The compiler of the toolchain that runs the tests, for code that stands in documents or must not compile.
struct SwiftCompiler {
    private let program: URL
    private let folder: TemporaryFolder

    init() throws {
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = places.map { URL(fileURLWithPath: "\($0)/swiftc") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        guard let found else { throw DaemonFailure(text: "there is no swiftc in PATH") }
        program = found
        folder = try TemporaryFolder()
    }

    /// The modules of this package, as the build has left them.
    private static let modules = Invocation.program.deletingLastPathComponent().appending(path: "Modules").path

    /// The headers of C, which modules of a debug build want even where they hide them.
    private static let headers = ["COpenSSL", "CCurl", "CLinux"].flatMap { room in
        ["-Xcc", "-fmodule-map-file=" + TestPaths.package.appending(path: "Sources/\(room)/module.modulemap").path]
    }

    /// What the compiler has to say against the files; nothing where they are good. They see what is for everybody, or what is for
    /// this package too.
    func complaint(about files: [(name: String, text: String)], inPackage: Bool = false) throws -> String {
        let place = folder.url.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        var paths: [String] = []
        for file in files {
            let path = place.appending(path: file.name)
            try Data(file.text.utf8).write(to: path)
            paths.append(path.path)
        }
        // Not "-typecheck", which does not look at what is sent from one actor to another.
        return try run(
            ["-emit-sil", "-wmo", "-module-name", "Example", "-o", place.appending(path: "sil").path]
                + ["-swift-version", "6", "-warnings-as-errors", "-I", Self.modules, "-I", folder.url.path]
                + (inPackage ? ["-package-name", TestPaths.package.lastPathComponent.lowercased()] : [])
                + Self.headers + paths)
    }

    /// Makes a module that files may import.
    func make(module: String, _ text: String) throws -> String {
        let file = try folder.file(containing: Data(text.utf8), called: "\(module).swift")
        return try run([
            "-emit-module", "-parse-as-library", "-module-name", module, "-emit-module-path",
            folder.url.appending(path: "\(module).swiftmodule").path, "-I", folder.url.path, file.path,
        ])
    }

    private func run(_ arguments: [String]) throws -> String {
        let environment = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }
        let run = try Invocation.run(
            program, arguments + ["-module-cache-path", folder.url.appending(path: "cache").path], input: .nullDevice,
            environment: environment, output: nil)
        return run.status == 0 ? "" : run.complaint + run.text
    }
}
