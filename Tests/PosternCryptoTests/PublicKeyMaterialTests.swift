import PosternBase
import PosternCrypto
import PosternTestSupport
import Testing

@Suite struct PublicKeyMaterialTests {
    /// The key that is built from the numbers of another verifies what the other signs, and has the same numbers.
    @Test func keysComeBack() throws {
        let keys: [(PrivateKey, SignatureScheme)] = [
            (try TestKeys.rsa.get(), .rsaPKCS1(.sha384)), (try .generateEC(.p256), .ecdsa(.sha256)),
            (try .generateEC(.p384), .ecdsa(.sha384)), (try .generateEC(.p521), .ecdsa(.sha512)),
            (try TestKeys.ed25519.get(), .ed25519),
        ]
        for (key, scheme) in keys {
            let material = try key.publicKey.material()
            let copy = try built(material)
            #expect(copy.kind == key.publicKey.kind)
            #expect(copy.bitCount == key.publicKey.bitCount)
            #expect(try copy.material() == material)
            let verifier = try SignatureVerifier(copy, scheme)
            for message in [[], [0], Array("a message".utf8), [UInt8](repeating: 7, count: 100_000)] as [[UInt8]] {
                #expect(try verifier.isValid(key.signature(over: message, scheme), for: message))
            }
        }
    }

    private func built(_ material: PublicKey.Material) throws(PublicKey.ImportFault) -> PublicKey {
        switch material {
        case .rsa(let modulus, let exponent): try .rsa(modulus: modulus, exponent: exponent)
        case .ec(let curve, let x, let y): try .ec(curve, x: x, y: y)
        case .ed25519(let x): try .ed25519(x)
        }
    }

    /// One point in 256 has a coordinate that begins with a zero: its width stays.
    @Test(arguments: Curve.allCases)
    func coordinatesKeepTheirWidth(_ curve: Curve) throws {
        var zeros = 0
        for _ in 0..<20_000 where zeros < 2 {
            guard case .ec(_, let x, let y) = try PrivateKey.generateEC(curve).publicKey.material() else { return }
            guard x[0] == 0 || y[0] == 0 else { continue }
            zeros += 1
            #expect(x.count == curve.coordinateByteCount && y.count == curve.coordinateByteCount)
            #expect(try PublicKey.ec(curve, x: x, y: y).material() == .ec(curve, x: x, y: y))
            let short = (x[0] == 0 ? Array(x.dropFirst()) : x, y[0] == 0 ? Array(y.dropFirst()) : y)
            #expect(throws: PublicKey.ImportFault.self) { try PublicKey.ec(curve, x: short.0, y: short.1) }
        }
        #expect(zeros == 2)
    }
}
