import Foundation
import Glibc
import PosternBase
import PosternService
import PosternTestSupport
import Testing

/// Whatever a daemon is sent in its life, what it tells holds none of it.
@Suite(.onAThreadOfItsOwn) struct LogSecretTests {
    /// Every piece of so many characters is looked for, so that a shortened one is found too.
    private static let window = 14

    /// The ways in which a text may come out.
    private static func forms(_ text: String) -> [String] {
        let bytes = Data(text.utf8)
        let base64 = bytes.base64EncodedString()
        let url = base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        let percent = bytes.map { String(format: "%%%02X", $0) }.joined()
        let usual = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let numbers = bytes.map(String.init).joined(separator: ", ")
        return [text, base64, url, hex, hex.uppercased(), percent, percent.lowercased(), usual, numbers]
    }

    private static func found(_ secret: String, in text: String) -> String? {
        let text = Array(text.utf8)
        var known: Set<ArraySlice<UInt8>> = []
        for form in forms(secret).map({ Array($0.utf8) }) {
            let size = min(window, form.count)
            for start in 0...(form.count - size) { known.insert(form[start..<(start + size)]) }
        }
        for size in Set(known.map(\.count)) where text.count >= size {
            for start in 0...(text.count - size) where known.contains(text[start..<(start + size)]) {
                return String(decoding: text[start..<(start + size)], as: UTF8.self)
            }
        }
        return nil
    }

    @Test func theSearchFinds() {
        let secret = "postern_a-long-secret/value+1"
        for form in Self.forms(secret) {
            #expect(Self.found(secret, in: "{\"a\":\"\(form)\"}") != nil)
            #expect(Self.found(secret, in: "x\(form.dropFirst(2).prefix(16))x") != nil)
        }
        #expect(Self.found(secret, in: "postern_ alone, and a-long value") == nil)
        #expect(Self.found("short", in: "a short one") != nil)
    }

    @Test func nothingOfARunIsTold() throws {
        let key = APIKeys.random().revealed
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data("\(key)\n".utf8), called: "key")
        chmod(file.path, 0o600)
        let daemon = try DaemonIssuer.daemon(
            listeners: #"{"unix":"SOCKET"},{"tcp":"127.0.0.1:0","doors":["native","operations"]}"#,
            more: #""api_keys":[{"name":"shop","file":"\#(file.path)"}],"log":{"requests":"all"}"#, in: folder)
        let port = try #require(try daemon.wait(for: "listening", count: 2)["port"] as? Int)
        let wrongKey = APIKeys.random().revealed
        var secrets = [key, wrongKey, "somebody@example.com", "001234.abc"]
        // Each connects when its turn comes: one that waits may be idle for too long.
        let connections = [
            { try daemon.connect() },
            {
                let remote = try SocketClient(port: port)
                remote.fields = ["Authorization: Bearer \(key)"]
                return remote
            },
        ]
        for connect in connections {
            let client = try connect()
            secrets += try Self.signIns(client)
            secrets += try Self.rubbish(client)
        }
        for credentials in ["Bearer \(wrongKey)", "Basic \(wrongKey)", wrongKey] {
            let stranger = try SocketClient(port: port)
            #expect(try stranger.ask("GET", "/v1/keys", "", ["Authorization: \(credentials)"]).status == 401)
        }
        let page = String(decoding: try daemon.connect().ask("GET", "/metrics").body, as: UTF8.self)
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
        try daemon.wait(for: "stopped")
        #expect(daemon.log.contains(#""api_key":"shop""#) && daemon.log.contains("token_malformed"))
        #expect(daemon.log.components(separatedBy: "\n").count > 40)
        for secret in secrets {
            #expect(Self.found(secret, in: daemon.log) == nil)
            #expect(Self.found(secret, in: page) == nil)
        }
        try EventListTests.check(daemon.log)
    }

    /// Accepted, refused in many ways, explained, in a list; what was secret in it.
    private static func signIns(_ client: SocketClient) throws -> [String] {
        let nonce = try client.nonce()
        let other = try client.nonce()
        let token = try DaemonIssuer.token(nonce)
        let expired = try DaemonIssuer.token(nonce, ["iat": .integer(1), "exp": .integer(2)])
        let foreign = try DaemonIssuer.token(nonce, ["iss": .string("https://stranger-issuer.test")])
        for body in [
            #"{"token":"\#(expired)","nonce":"\#(nonce)"}"#, #"{"token":"\#(foreign)","nonce":"\#(nonce)"}"#,
            #"{"token":"\#(token)","nonce":"\#(other)","explain":true}"#,
            #"{"token":"\#(token.dropLast(4))AAAA","nonce":"\#(nonce)"}"#,
            #"{"token":"\#(nonce)","nonce":"\#(token)"}"#,
            #"{"tokens":[{"token":"\#(token)","nonce":"\#(other)"},{"token":"\#(nonce)","nonce":"x"}]}"#,
            #"{"token":"\#(token)","nonce":"\#(nonce)"}"#, #"{"token":"\#(token)","nonce":"\#(nonce)"}"#,
        ] { #expect(try client.ask("POST", "/v1/verify", body).status == 200) }
        return [nonce, other, token, expired, foreign]
    }

    /// Secrets where they do not belong.
    private static func rubbish(_ client: SocketClient) throws -> [String] {
        let secret = "misplaced" + APIKeys.random().revealed.dropFirst(8)
        for (method, path, body, fields) in [
            ("GET", "/\(secret)", "", []), ("GET", "/v1/keys?token=\(secret)", "", []),
            ("GET", "/health/live?\(secret)", "", []), ("POST", "/v1/\(secret)?\(secret)", secret, []),
            ("POST", "/v1/verify", secret, []), ("POST", "/v1/verify", #"{"\#(secret)":1}"#, []),
            ("POST", "/v1/verify", #"{"token":"x","provider":"\#(secret)"}"#, []),
            ("POST", "/v1/verify", #"{"token":"x","audience":"\#(secret)"}"#, []),
            ("POST", "/v1/verify", #"{"token":1,"nonce":"\#(secret)"}"#, []),
            ("POST", "/v1/nonces", #"{"audience":"\#(secret)"}"#, []),
            ("GET", "/nothing", "", ["X-Request-Id: \(secret) ", "X-Request-Id: \(secret)"]),
            ("GET", "/nothing", "", ["X-Request-Id: a b \(secret)", "Cookie: \(secret)", "\(secret): \(secret)"]),
        ] as [(String, String, String, [String])] {
            #expect(try client.ask(method, path, body, fields).status >= 400)
        }
        return [secret]
    }
}
