import Foundation
import Glibc
import PosternTestSupport

/// A folder like that of the repository after `make build`, with the daemon and the issuer of `make run` beside it.
final class DocumentWorld {
    let folder: TemporaryFolder
    private let daemon: DaemonProcess

    var path: String { folder.url.path }

    init() throws {
        folder = try TemporaryFolder()
        port = Self.freePort()
        let files = FileManager.default
        for name in [".build/release", "bin"] {
            try files.createDirectory(at: folder.url.appending(path: name), withIntermediateDirectories: true)
        }
        for link in [".build/release/postern", "bin/postern"] {
            try files.createSymbolicLink(at: folder.url.appending(path: link), withDestinationURL: Invocation.program)
        }
        for name in ["TestVectors", "Docs"] {
            try files.createSymbolicLink(
                at: folder.url.appending(path: name), withDestinationURL: TestPaths.package.appending(path: name))
        }
        _ = try folder.file(containing: Data("no token\n".utf8), called: "token")
        let development = folder.url.appending(path: ".build/development").path
        daemon = try DaemonProcess(arguments: ["--development", development], in: folder)
        try daemon.wait(for: "listening", count: 2)
        try daemon.wait(for: "keys_replaced")
    }

    private static func freePort() -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// What stands in the documents for places that are elsewhere here.
    private var places: [(String, String)] {
        let development = "\(path)/.build/development"
        return [
            ("/run/postern/postern.sock", "\(development)/postern.sock"),
            ("/etc/postern/postern.conf", "\(development)/settings.json"), (":8713", ":\(port)"), (" 8713", " \(port)"),
        ]
    }

    /// One that was free a moment ago.
    private let port: UInt16

    struct Outcome {
        let status: Int32
        let output: String
    }

    /// Runs the texts one after the other in one shell; what each said, on either stream.
    func run(_ texts: [String]) throws -> [Outcome] {
        let mark = "@@ \(UUID().uuidString)"
        var script = "trap 'kill -KILL $(jobs -p) 2>/dev/null' EXIT\nset -o pipefail\ncd '\(path)'\nexec 2>&1\n"
        for text in texts {
            let here = places.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
            script += "\(here)\nprintf '\\n\(mark) %d\\n' $?\n"
        }
        let run = try Invocation.run(
            URL(fileURLWithPath: "/bin/bash"), ["-c", script], input: .nullDevice,
            environment: ["PATH": "\(path)/bin:/usr/bin:/bin", "XDG_CACHE_HOME": path, "TERM": "dumb"], output: nil)
        var outcomes: [Outcome] = []
        var rest = run.text[...]
        while let range = rest.range(of: "\n\(mark) ") {
            let after = rest[range.upperBound...]
            let end = after.firstIndex(of: "\n") ?? after.endIndex
            outcomes.append(Outcome(status: Int32(after[..<end]) ?? -1, output: String(rest[..<range.lowerBound])))
            rest = after[end...].dropFirst()
        }
        guard outcomes.count == texts.count else { throw DaemonFailure(text: "the shell has ended: \(run.text)") }
        return outcomes
    }

    /// A nonce and a token for it, as an app and Apple would have them.
    func signIn() throws -> (nonce: String, token: String) {
        let outcomes = try run([
            "curl -sS --unix-socket .build/development/postern.sock -X POST http://postern/v1/nonces"
        ])
        let json = try JSONSerialization.jsonObject(with: Data(outcomes[0].output.utf8)) as? [String: Any]
        let nonce = json?["nonce"] as? String ?? ""
        let minted = try run([
            "curl -sS --unix-socket .build/development/issuer.sock -H 'Content-Type: application/json'"
                + " -d '{\"nonce\":\"\(nonce)\"}' http://issuer/mint"
        ])
        return (nonce, minted[0].output.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
