import Foundation
import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTokens

/// Makes keys and tokens for the tests, all judged at `now`.
struct TestIssuer {
    static let now: Int64 = 1_790_000_000
    static let audience = "com.example.app"
    static let nonce = "a raw nonce that must not be shown"
    static let code = "c0ffee.code"
    static let accessToken = "an access token"

    /// One key for all tests: making one takes a while.
    static let rsa = Result { try TestIssuer(PrivateKey.generateRSA(bits: 2048), .rs256, keyID: "KEY1") }
    static let ec = Result { try TestIssuer(PrivateKey.generateEC(.p256), .es256, keyID: nil) }

    private let key: SigningKey
    private let algorithm: Algorithm
    let jwk: String

    init(_ key: PrivateKey, _ algorithm: Algorithm, keyID: String?) throws {
        self.key = try SigningKey(key, algorithm, keyID: keyID)
        self.algorithm = algorithm
        jwk = try self.key.publicJWK()?.text() ?? ""
    }

    var keySet: String { #"{"keys":[\#(jwk)]}"# }

    /// An identity token of Apple's shape with members replaced, added or, where nil, left out.
    func token(_ changes: [String: JSONOutput?] = [:], type: String? = "JWT") throws -> String {
        try key.sign(Array(JSONOutput.object(claims(changes)).text().utf8), type: type)
    }

    func token(header: String, _ changes: [String: JSONOutput?] = [:]) throws -> String {
        try key.sign(header: Array(header.utf8), payload: Array(JSONOutput.object(claims(changes)).text().utf8))
    }

    private func claims(_ changes: [String: JSONOutput?]) -> [(String, JSONOutput)] {
        var claims: [String: JSONOutput?] = [
            "iss": .string("https://appleid.apple.com"), "aud": .string(Self.audience), "sub": .string("001234.abc"),
            "iat": .integer(Self.now - 10), "exp": .integer(Self.now + 86_000),
            "nonce": .string(Nonce.sha256Hex(of: Self.nonce)),
        ]
        claims.merge(changes) { $1 }
        return claims.compactMap { name, value in value.map { (name, $0) } }.sorted { $0.0 < $1.0 }
    }

    /// A server notification of Apple.
    func notification() throws -> String {
        let event = #"{"type":"consent-revoked","sub":"001234.abc","event_time":1789999990}"#
        return try token(["events": .string(event), "sub": nil, "nonce": nil, "jti": .string("event-1")])
    }

    /// The left half of the hash of `value`, as `at_hash` and `c_hash` hold it.
    func hashClaim(_ value: String) throws -> JSONOutput {
        let digest = try HashAlgorithm.sha256.digest(of: Array(value.utf8))
        return .string(Base64URL.encode(Array(digest.prefix(16))))
    }
}

extension Invocation {
    /// `postern verify` at `TestIssuer.now` with the keys in a file; `arguments` besides come first.
    static func verify(
        _ arguments: [String],
        keys: String? = nil,
        token: String? = nil,
        input: Data = Data()
    ) throws -> Invocation {
        let folder = try TemporaryFolder()
        let keys = try keys ?? TestIssuer.rsa.get().keySet
        let file = try folder.file(containing: Data(keys.utf8), called: "keys.json")
        let common = ["--keys", file.path, "--at", "\(TestIssuer.now)"]
        return try run(["verify"] + arguments + common + (token.map { ["--", $0] } ?? []), input: input)
    }
}
