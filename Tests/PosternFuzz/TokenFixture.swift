import Foundation
import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTokens

/// Keys and verifiers that never change, so that an input gives the same answer each time.
struct TokenFixture: Sendable {
    static let now: Int64 = 1_780_000_031
    static let nonce = "raw nonce of the request"
    static let signedIssuer = "https://issuer.example"

    static let shared: TokenFixture = {
        do {
            return try TokenFixture()
        } catch {
            fatalError("the files in TestVectors are not as they were: \(error)")
        }
    }()

    /// The rules of one provider: with a real signature demanded, and with all rules but that one.
    struct Rules: Sendable {
        let issuers: [String]
        let strict: TokenVerifier
        let unsigned: TokenVerifier

        init(_ provider: Provider, _ issuers: [String], _ keys: KeySet) throws {
            self.issuers = issuers
            let source = StaticKeySource(keys)
            strict = try TokenVerifier(provider, keys: source, time: .fixed(now))
            unsigned = try TokenVerifier(provider, keys: source, time: .fixed(now), testOnlyDisabled: [.signature])
        }
    }

    /// The token of TestVectors/example and nothing else has a signature of these keys.
    let goodToken: [UInt8]
    let apple: Rules
    let others: [Rules]
    /// A configured issuer whose private key is at hand.
    let signed: Rules
    let signer: SigningKey
    let nonces: NonceIssuer
    let issuedNonce: String

    private init() throws {
        goodToken = Array(try Self.file("example/apple.token").split(separator: 0x0A).first ?? [])
        let keys = try KeySet(Array(Self.file("example/apple-keys.jwks")))
        let google = ["https://accounts.google.com", "accounts.google.com"]
        let microsoft = "https://login.microsoftonline.com/0e4bd2b5-2f0a-4c4b-8a5e-3d7a0a1c9d10/v2.0"
        apple = try Rules(.apple(audiences: Self.audiences), ["https://appleid.apple.com"], keys)
        others = [
            try Rules(.google(audiences: Self.audiences, presenters: ["presenter"]), google, keys),
            try Rules(
                .microsoft(
                    tenant: MicrosoftTenant("0e4bd2b5-2f0a-4c4b-8a5e-3d7a0a1c9d10"),
                    audiences: Self.audiences
                ),
                [microsoft],
                keys
            ),
            try Rules(.facebook(audiences: Self.audiences), ["https://www.facebook.com"], keys),
            try Rules(.firebase(project: "com.example.app"), ["https://securetoken.google.com/com.example.app"], keys),
        ]
        let key = try PrivateKey(pem: Array(Self.file("keys/ed25519-a.pem")))
        signer = try SigningKey(key, .edDSA, keyID: "k")
        signed = try Rules(
            .oidc(issuer: Self.signedIssuer, audiences: Self.audiences, algorithms: [.edDSA]),
            [Self.signedIssuer],
            KeySet(keys: [VerificationKey(key.publicKey, keyID: "k", declaredAlgorithm: .edDSA)])
        )
        nonces = try NonceIssuer(
            keys: [.init(id: 0, secret: [UInt8](repeating: 7, count: 32))],
            random: .init { [UInt8](repeating: 9, count: $0) }
        )
        issuedNonce = try nonces.issue(audience: Self.audiences[0].clientID, now: Self.now).nonce
    }

    static let audiences = [
        Audience("com.example.app", nonce: .hashed),
        Audience("plain", nonce: .plain, acceptsUnsupportedNonce: true),
        Audience("unchecked", nonce: .unchecked),
    ]

    private static func file(_ path: String) throws -> Data {
        let package = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: package.appending(path: "TestVectors").appending(path: path))
    }
}
