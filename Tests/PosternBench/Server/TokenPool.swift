import Glibc
import PosternBase
import PosternCrypto
import PosternJOSE

/// Identity tokens of different people from one issuer, good now, and the files that make a daemon take them.
struct TokenPool {
    static let count = 256
    private static let issuer = "https://id.example.com/ap"

    let key: PrivateKey
    let tokens: [[UInt8]]

    init() throws {
        key = try .generateRSA(bits: 2048)
        let signing = try SigningKey(key, .rs256, keyID: BenchToken.keyID)
        let now = time(nil)
        tokens = try (0..<Self.count).map { number in
            let payload = [
                ("https://appleid.apple.com", Self.issuer), ("\(BenchToken.issuedAt)", "\(now)"),
                ("\(BenchToken.issuedAt + 86_400)", "\(now + 86_400)"), ("001234.", "\(100_000 + number)."),
            ].reduce(BenchToken.payload) { text, change in
                text.split(separator: change.0, omittingEmptySubsequences: false).joined(separator: change.1)
            }
            return Array(try signing.sign(Array(payload.utf8), type: nil).utf8)
        }
    }

    /// The JWK Set of the issuer.
    func keySet() throws -> String {
        let members = try Thumbprint.members(of: key.publicKey).map { ($0.0, JSONOutput.string($0.1)) }
        let key: JSONOutput = .object(
            members + [
                ("kid", .string(BenchToken.keyID)), ("alg", .string("RS256")), ("use", .string("sig")),
            ])
        return JSONOutput.object([("keys", .array([key]))]).text()
    }

    /// Everything that costs something is on: lists of users, keys of callers, limits.
    static func settings(folder: String, apiKeyHash: String, threads: Int, more: String = "") -> String {
        """
        {
          "providers": [{
            "provider": "oidc", "name": "bench", "issuer": "\(issuer)", "keys": "\(folder)/keys.json",
            "algorithms": ["RS256"], "audiences": [{ "client_id": "com.example.app", "nonce": "hashed" }],
          }],
          "listeners": [
            { "unix": "\(folder)/s", "allow_users": ["\(geteuid())"] },
            { "tcp": "127.0.0.1:0", "doors": ["native"] },
          ],
          "api_keys": [{ "name": "bench", "sha256": "\(apiKeyHash)" }],
          "limits": { "requests_per_second": 1000000, "burst": 1000000, "connections_per_peer": 12000,
            "threads": \(threads) },
          "cache_folder": "",\(more)
        }
        """
    }

    // MARK: - Requests

    /// For each token a request that asks for its verdict.
    func single(apiKey: String? = nil) -> [[UInt8]] { tokens.map { Self.request(Self.order($0), apiKey) } }

    /// A request with so many tokens.
    func list(_ count: Int) -> [UInt8] {
        Self.request("{\"tokens\":[\(tokens.prefix(count).map(Self.order).joined(separator: ","))]}", nil)
    }

    private static func order(_ token: [UInt8]) -> String {
        #"{"token":"\#(String(decoding: token, as: UTF8.self))","nonce":"\#(BenchToken.rawNonce)"}"#
    }

    private static func request(_ body: String, _ apiKey: String?) -> [UInt8] {
        Array(
            ("POST /v1/verify HTTP/1.1\r\nHost: postern\r\nContent-Type: application/json\r\nAccept: */*\r\n"
                + "User-Agent: bench\r\n" + (apiKey.map { "Authorization: Bearer \($0)\r\n" } ?? "")
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8)
    }
}
