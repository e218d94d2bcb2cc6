import Foundation
import Glibc
import PosternTestSupport
import Testing

/// Debian's nginx on a port of loopback, which hands everything on to a Unix socket. One process, which ends with its owner.
final class Nginx {
    /// Installed, or unpacked by `make test-packages`.
    static let program: URL? = [
        URL(filePath: "/usr/sbin/nginx"), TestPaths.package.appending(path: ".build/nginx/usr/sbin/nginx"),
    ].first { FileManager.default.isExecutableFile(atPath: $0.path) }

    struct Answer {
        let status: Int
        /// The connections that curl has made for it.
        let connections: Int
        let body: Data

        func text(_ name: String) -> String? {
            ((try? JSONSerialization.jsonObject(with: body)) as? [String: Any])?[name] as? String
        }
    }

    private let folder = Result { try TemporaryFolder() }
    private let port: Int
    private let process = Process()

    init(before socket: String) throws {
        let folder = try folder.get()
        port = try FreePort.find()
        let file = try folder.file(
            containing: Data(Self.settings(folder.url.path, port, socket).utf8), called: "nginx.conf")
        process.executableURL = Self.program
        process.arguments = ["-p", folder.url.path, "-e", "stderr", "-c", file.path]
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        until { (try? SocketClient(port: port)) != nil || !process.isRunning }
        guard process.isRunning else { throw DaemonFailure(text: "nginx has ended") }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    private static func settings(_ folder: String, _ port: Int, _ socket: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "    \($0)_temp_path \(folder)/\($0);"
        }
        return """
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            events { worker_connections 64; }
            http {
                access_log off;
            \(temporary.joined(separator: "\n"))
                upstream postern {
                    server unix:\(socket);
                    keepalive 4;
                }
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass http://postern;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                    }
                }
            }

            """
    }

    /// Has one run of curl ask so often; the last argument is the path.
    func curl(_ arguments: [String], count: Int = 1) throws -> [Answer] {
        let url = "http://127.0.0.1:\(port)\(arguments.last ?? "/")"
        let run = try Invocation.run(
            URL(filePath: "/usr/bin/curl"),
            ["-sS", "-w", "\n%{http_code} %{num_connects}\n"] + arguments.dropLast()
                + Array(repeating: url, count: count),
            input: .nullDevice, environment: [:], output: nil)
        guard run.status == 0 else { throw DaemonFailure(text: "curl: \(run.complaint)") }
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return stride(from: 0, to: lines.count - 1, by: 2).map { index in
            let numbers = lines[index + 1].split(separator: " ").compactMap { Int($0) }
            return Answer(
                status: numbers.first ?? 0, connections: numbers.last ?? -1, body: Data(lines[index].utf8))
        }
    }
}
