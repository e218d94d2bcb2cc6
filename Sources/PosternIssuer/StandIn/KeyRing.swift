internal import PosternBase
internal import PosternCrypto
internal import PosternJOSE

/// The keys of the issuer: one signs, and those before it may stay published for a while.
struct KeyRing: Sendable {
    private static let maximumCount = 4

    private(set) var current: MintingKey
    private var former: [MintingKey] = []
    /// What signs while tokens are to come from a key that is in no set.
    private(set) var unpublished: MintingKey?

    init(_ key: MintingKey) { current = key }

    /// `isKept`: the key so far stays in the set, as it does with every issuer that lets tokens run out in peace.
    mutating func rotate(to key: MintingKey, keepingFormer isKept: Bool) {
        former = isKept ? Array(([current] + former).prefix(Self.maximumCount - 1)) : []
        current = key
    }

    mutating func setAside(_ key: MintingKey) { unpublished = key }

    /// The names of the published keys, that of the one that signs first.
    var names: [String] { ([current] + former).compactMap(\.keyID) }

    /// The JWK Set (RFC 7517 §5).
    func document() throws(CryptoError) -> [UInt8] {
        var keys: [JSONOutput] = []
        for key in [current] + former {
            if let jwk = try key.signer.publicJWK() { keys.append(jwk) }
        }
        return Array(JSONOutput.object([("keys", .array(keys))]).text().utf8)
    }

    static let emptyDocument = Array(#"{"keys":[]}"#.utf8)
}
