import PosternBase
import PosternCrypto
import Testing

/// R ‖ S at the places where its DER changes length, and halves that are no signature's.
@Suite struct ECDSASignatureTests {
    private static let orders: [Curve: String] = [
        .p256: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        .p384: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
        .p521: "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
            + "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
    ]

    private let message = Array("a message".utf8)

    /// With one half good and the other out of 1 ..< n.
    @Test(arguments: Curve.allCases)
    func halvesOutOfRange(_ curve: Curve) throws {
        let key = try PrivateKey.generateEC(curve)
        let verifier = try SignatureVerifier(key.publicKey, .ecdsa(.sha256))
        let signature = try key.signature(over: message, .ecdsa(.sha256))
        let width = curve.coordinateByteCount
        let (r, s) = (Array(signature[..<width]), Array(signature[width...]))
        let order = try #require(Self.orders[curve].flatMap { Hex.decode($0) })
        #expect(order.count == width)
        for bad in [[UInt8](repeating: 0, count: width), order, [UInt8](repeating: 0xFF, count: width)] {
            #expect(try !verifier.isValid(bad + s, for: message))
            #expect(try !verifier.isValid(r + bad, for: message))
        }
        #expect(try !verifier.isValid(s + r, for: message))
        #expect(try verifier.isValid(signature, for: message))
    }

    /// Halves that begin with a zero byte, a byte below 0x80 and one above: each has DER of another length.
    @Test(arguments: Curve.allCases)
    func leadingBytes(_ curve: Curve) throws {
        let key = try PrivateKey.generateEC(curve)
        let verifier = try SignatureVerifier(key.publicKey, .ecdsa(.sha256))
        let width = curve.coordinateByteCount
        // The top byte of P-521 is 0 or 1, so the one after it decides there.
        let top = curve == .p521 ? 1 : 0
        var zeros = 0
        for number in 0..<20_000 where zeros < 3 {
            let message = Array("message \(number)".utf8)
            let signature = try key.signature(over: message, .ecdsa(.sha256))
            #expect(signature.count == width * 2)
            #expect(try verifier.isValid(signature, for: message))
            let isShort =
                signature[0...top].allSatisfy { $0 == 0 } || signature[width...(width + top)].allSatisfy { $0 == 0 }
            if isShort { zeros += 1 }
        }
        #expect(zeros == 3)
    }

    /// n − S is as good as S: ECDSA is malleable, so nothing may be remembered by its signature.
    @Test func theOtherSignature() throws {
        let key = try PrivateKey.generateEC(.p256)
        let signature = try key.signature(over: message, .ecdsa(.sha256))
        let order = try #require(Self.orders[.p256].flatMap { Hex.decode($0) })
        var other = signature
        var borrow = 0
        for place in stride(from: 31, through: 0, by: -1) {
            let difference = Int(order[place]) - Int(signature[32 + place]) - borrow
            other[32 + place] = UInt8(difference & 0xFF)
            borrow = difference < 0 ? 1 : 0
        }
        #expect(other != signature)
        #expect(try SignatureVerifier(key.publicKey, .ecdsa(.sha256)).isValid(other, for: message))
    }
}
