package import PosternBase
package import PosternJOSE
package import PosternTokens

/// A good identity token of Apple's shape, to be bent in one place by each test.
package struct TestToken {
    package static let issuedAt: Int64 = 1_790_000_000
    package static let clientID = "com.example.app"
    package static let rawNonce = "a raw nonce"

    package var claims: [(String, JSONOutput)] = [
        ("iss", .string("https://appleid.apple.com")), ("aud", .string(clientID)),
        ("exp", .integer(issuedAt + 86_400)), ("iat", .integer(issuedAt)),
        ("sub", .string("001234.0123456789abcdef0123456789abcdef.0123")),
        ("nonce", .string(Nonce.sha256Hex(of: rawNonce))),
    ]

    package init() {}

    /// The same token with the claim set, or left out when `value` is nil.
    package func with(_ name: String, _ value: JSONOutput?) -> TestToken {
        var token = self
        token.claims.removeAll { $0.0 == name }
        if let value { token.claims.append((name, value)) }
        return token
    }

    package func signed(_ signer: SigningKey, type: String? = nil) throws -> String {
        try signer.sign(Array(JSONOutput.object(claims).text().utf8), type: type)
    }

    package func signed() throws -> String { try signed(TestKeys.rs256().signer) }
}

extension TokenVerifier {
    /// A verifier of Apple's tokens with the test key, at one second after issue unless said.
    package static func test(
        _ audiences: [Audience] = [Audience(TestToken.clientID, nonce: .hashed)],
        keys: (any KeySource)? = nil,
        issuedNonces: IssuedNonces? = nil,
        at time: Int64 = TestToken.issuedAt + 1
    ) throws -> TokenVerifier {
        try TokenVerifier(
            .apple(audiences: audiences),
            keys: try keys ?? StaticKeySource(TestKeys.rs256().keys),
            issuedNonces: issuedNonces,
            time: .fixed(time)
        )
    }
}
