import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTestSupport

/// JWK Sets as text, made of test keys.
enum TestSet {
    /// A set with the test RSA key under each of the names.
    static func rsa(_ keyIDs: String...) throws -> String { set(try keyIDs.map { try member($0) }) }

    static func set(_ members: [String]) -> String { "{\"keys\":[\(members.joined(separator: ","))]}" }

    static func member(
        _ keyID: String,
        _ key: Result<PrivateKey, any Error> = TestKeys.rsa,
        algorithm: String = "RS256",
        also: [(String, JSONOutput)] = []
    ) throws -> String {
        let numbers = try Thumbprint.members(of: key.get().publicKey).map { ($0.0, JSONOutput.string($0.1)) }
        return JSONOutput.object(numbers + [("kid", .string(keyID)), ("alg", .string(algorithm))] + also).text()
    }

    /// The token with another name of its key, which its signature does not cover any more.
    static func forged(_ token: String, keyID: String) -> String {
        let header = Base64URL.encode(Array("{\"alg\":\"RS256\",\"kid\":\"\(keyID)\"}".utf8))
        return header + token.drop { $0 != "." }
    }

    /// An identity token that the key signs under the name.
    static func token(_ keyID: String = "one", _ key: Result<PrivateKey, any Error> = TestKeys.rsa) throws -> String {
        try TestToken().signed(SigningKey(key.get(), .rs256, keyID: keyID))
    }
}
