import Foundation
import PosternTestSupport

/// A run of `postern issuer` on a port of the system's choice, which ends with its owner.
final class IssuerProcess {
    let process: DaemonProcess
    let url: String
    let port: Int

    init(_ arguments: [String] = [], in folder: TemporaryFolder? = nil) throws {
        process = try DaemonProcess(
            command: [Invocation.program.path, "issuer", "--port", "0"] + arguments, in: folder ?? TemporaryFolder())
        let event = try process.wait(for: "issuer_listening")
        url = event["issuer"] as? String ?? ""
        port = url.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }

    /// Asks over a connection of its own.
    func ask(_ method: String, _ path: String, _ body: String = "") throws -> SocketClient.Reply {
        let client = try SocketClient(port: port)
        let fields = [
            "Host: 127.0.0.1:\(port)", "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
        ]
        try client.write("\(method) \(path) HTTP/1.1\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n\(body)")
        return try client.reply()
    }

    func mint(_ body: String) throws -> String {
        let reply = try ask("POST", "/mint", body)
        return String(decoding: reply.body, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    func set(_ faults: [String]) throws {
        let names = faults.map { "\"\($0)\"" }.joined(separator: ",")
        let reply = try ask("POST", "/control/faults", #"{"faults":[\#(names)]}"#)
        guard reply.status == 200 else { throw DaemonFailure(text: reply.head) }
    }

    /// A daemon that takes its tokens.
    func daemon(more: String = "") throws -> DaemonProcess {
        let provider = """
            {"provider":"oidc","name":"test","issuer":"\(url)","insecure_loopback":true,\(more)
             "audiences":[{"client_id":"\(TestIssuer.audience)","nonce":"issued"}]}
            """
        return try DaemonProcess(DaemonIssuer.settings(provider))
    }
}
