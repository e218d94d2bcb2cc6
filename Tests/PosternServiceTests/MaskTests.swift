import PosternBase
import PosternHTTP
import PosternService
import PosternTestSupport
import PosternTokens
import Testing

/// Whatever carries a token, a nonce, a key or an address prints itself masked.
@Suite struct MaskTests {
    private static func prints(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        print(value, to: &text)
        debugPrint(value, to: &text)
        return text + "\(value)" + String(reflecting: value)
    }

    @Test func carriersAreMasked() async throws {
        let token = try TestToken().with("email", .string("somebody@example.com")).signed()
        let nonce = TestToken.rawNonce
        var fields = HTTP.Fields()
        fields.append("Authorization", "Bearer postern_secret-key")
        let request = ReceivedRequest(
            method: "POST", path: "/secret-path", query: "secret-query", fields: ReceivedFields(fields),
            body: Array(token.utf8), peer: TestService.peer)
        let verifier = try TestService.apple(nonces: IssuedNonces(capacity: 1)).verifier
        let identity = try await verifier.identity(token, VerificationRequest(nonce: nonce))
        #expect(identity.email == "somebody@example.com")
        let issued = try #require(try IssuedNonces(capacity: 1).issue(audience: "a"))
        let subject = identity.subject.description
        let values: [Any] = [
            request, request.head, request.fields, fields, fields.lines[0], identity, issued,
            HTTP.Response(status: 200, fields: fields, body: Array(nonce.utf8)),
            HTTP.Request(.post, "https://x.test/?secret-query", fields: fields, body: Array(nonce.utf8)),
            identity.claims, Optional(identity) as Any, [identity],
            try await verifier.verdict(token, VerificationRequest(nonce: nonce)),
        ]
        let bytes = Array(nonce.utf8).prefix(4).map(String.init)
        for value in values {
            let text = Self.prints(value)
            for secret in [
                token, nonce, "secret-", "somebody", subject, issued.nonce, issued.sha256Hex, "postern_secret",
                bytes.joined(separator: ", "),
            ] { #expect(!text.contains(secret), "\(type(of: value)) prints \(secret)") }
        }
        #expect("\(identity)".contains("apple"))
        #expect("\(fields.lines[0])" == "Authorization: (secret)")
    }

    @Test func keysAreMasked() {
        let key = APIKeys.random()
        #expect(!Self.prints(key).contains("postern_"))
        #expect(key.revealed.hasPrefix("postern_"))
    }
}
