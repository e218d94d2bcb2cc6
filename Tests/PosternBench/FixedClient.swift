import PosternBase
import PosternCrypto
import PosternHTTP
import PosternJOSE

/// Answers with a set of one key, without a network.
struct FixedClient: HTTP.Client {
    let body: [UInt8]

    init(_ key: PublicKey) throws {
        let members = try Thumbprint.members(of: key).map { ($0.0, JSONOutput.string($0.1)) }
        let set = JSONOutput.object([("keys", .array([.object(members + [("kid", .string(BenchToken.keyID))])]))])
        body = Array(set.text().utf8)
    }

    func send(_ request: HTTP.Request) async throws(HTTP.ClientError) -> HTTP.Response {
        HTTP.Response(status: 200, body: body)
    }
}
