package import PosternCrypto

/// A digital signature algorithm of JOSE (RFC 7518 §3.1, RFC 8037 §3.1). HMAC and `none` are not among them.
public struct Algorithm: Sendable, Hashable {
    enum Kind: UInt8, Sendable, CaseIterable {
        case rs256, rs384, rs512, ps256, ps384, ps512, es256, es384, es512, edDSA
    }

    let kind: Kind

    /// RSASSA-PKCS1-v1_5 using SHA-256.
    public static let rs256 = Algorithm(kind: .rs256)
    /// RSASSA-PKCS1-v1_5 using SHA-384.
    public static let rs384 = Algorithm(kind: .rs384)
    /// RSASSA-PKCS1-v1_5 using SHA-512.
    public static let rs512 = Algorithm(kind: .rs512)
    /// RSASSA-PSS using SHA-256 and MGF1 with SHA-256.
    public static let ps256 = Algorithm(kind: .ps256)
    /// RSASSA-PSS using SHA-384 and MGF1 with SHA-384.
    public static let ps384 = Algorithm(kind: .ps384)
    /// RSASSA-PSS using SHA-512 and MGF1 with SHA-512.
    public static let ps512 = Algorithm(kind: .ps512)
    /// ECDSA using P-256 and SHA-256.
    public static let es256 = Algorithm(kind: .es256)
    /// ECDSA using P-384 and SHA-384.
    public static let es384 = Algorithm(kind: .es384)
    /// ECDSA using P-521 and SHA-512.
    public static let es512 = Algorithm(kind: .es512)
    /// EdDSA, over Ed25519 only.
    public static let edDSA = Algorithm(kind: .edDSA)

    /// All algorithms, in the order of RFC 7518 §3.1.
    public static let all: [Algorithm] = Kind.allCases.map { Algorithm(kind: $0) }

    /// The value of the `alg` header parameter.
    public var name: String {
        switch kind {
        case .rs256: "RS256"
        case .rs384: "RS384"
        case .rs512: "RS512"
        case .ps256: "PS256"
        case .ps384: "PS384"
        case .ps512: "PS512"
        case .es256: "ES256"
        case .es384: "ES384"
        case .es512: "ES512"
        case .edDSA: "EdDSA"
        }
    }

    /// The algorithm called `name`, compared byte for byte; nil for every other name, `none` and HMAC included.
    public init?(named name: String) {
        var name = name
        let found = name.withUTF8 { Algorithm(named: $0) }
        guard let found else { return nil }
        self = found
    }

    init?(named name: UnsafeBufferPointer<UInt8>) {
        // Every name has five letters, here packed into one number: this is done for every token.
        guard name.count == 5 else { return nil }
        let packed = name.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch packed {
        case 0x52_5332_3536: kind = .rs256
        case 0x52_5333_3834: kind = .rs384
        case 0x52_5335_3132: kind = .rs512
        case 0x50_5332_3536: kind = .ps256
        case 0x50_5333_3834: kind = .ps384
        case 0x50_5335_3132: kind = .ps512
        case 0x45_5332_3536: kind = .es256
        case 0x45_5333_3834: kind = .es384
        case 0x45_5335_3132: kind = .es512
        case 0x45_6444_5341: kind = .edDSA
        default: return nil
        }
    }

    private init(kind: Kind) { self.kind = kind }

    /// The hash function, which `at_hash` and `c_hash` use too (OpenID Connect Core §3.1.3.6); SHA-512 for Ed25519.
    package var hash: HashAlgorithm {
        switch kind {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512, .es512, .edDSA: .sha512
        }
    }

    var scheme: SignatureScheme {
        switch kind {
        case .rs256, .rs384, .rs512: .rsaPKCS1(hash)
        case .ps256, .ps384, .ps512: .rsaPSS(hash, mask: hash, saltByteCount: hash.byteCount)
        case .es256, .es384, .es512: .ecdsa(hash)
        case .edDSA: .ed25519
        }
    }

    func fits(_ kind: PublicKey.Kind) -> Bool {
        switch (self.kind, kind) {
        case (.rs256, .rsa), (.rs384, .rsa), (.rs512, .rsa), (.ps256, .rsa), (.ps384, .rsa), (.ps512, .rsa): true
        case (.es256, .ec(.p256)), (.es384, .ec(.p384)), (.es512, .ec(.p521)), (.edDSA, .ed25519): true
        default: false
        }
    }
}

/// Some of the algorithms; to ask it costs one comparison.
package struct AlgorithmSet: Sendable {
    private let bits: UInt16

    package init(_ algorithms: [Algorithm]) { bits = algorithms.reduce(0) { $0 | 1 << $1.kind.rawValue } }

    package func contains(_ algorithm: Algorithm) -> Bool { bits & 1 << algorithm.kind.rawValue != 0 }
}
