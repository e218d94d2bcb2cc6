import PosternBase
import PosternCrypto
import PosternTestSupport
import Testing

/// OpenSSL keeps failures in a queue per thread: one that is left there would be told as the reason of another failure.
@Suite struct CryptoErrorTests {
    /// The word for a failure that OpenSSL has no part in; not empty when something was left in its queue.
    private func leftover() throws -> String {
        let error = try #require(throws: CryptoError.self) { try PrivateKey.generateRSA(bits: 1024) }
        #expect(error.reason == .unsupported)
        return error.detail
    }

    @Test func failuresOfPrivateKeys() throws {
        for text in ["", "garbage", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            let error = try #require(throws: CryptoError.self) { try PrivateKey(pem: Array(text.utf8)) }
            #expect(error.reason == .invalidKey)
            #expect(error.detail.hasPrefix("error:"))
            #expect(try leftover().isEmpty)
        }
        #expect(throws: CryptoError.self) { try TestKeys.rsa.get().signature(over: [], .ed25519) }
        #expect(try leftover().isEmpty)
        // Too long a salt for the modulus, which OpenSSL finds itself.
        let long = SignatureScheme.rsaPSS(.sha512, mask: .sha512, saltByteCount: 1000)
        #expect(throws: CryptoError.self) { try TestKeys.rsa.get().signature(over: [], long) }
        #expect(try leftover().isEmpty)
    }

    @Test func refusedKeys() throws {
        let odd = [UInt8](repeating: 0xFF, count: 256)
        #expect(throws: PublicKey.ImportFault.self) { try PublicKey.rsa(modulus: odd, exponent: [1, 0, 1]) }
        #expect(try leftover().isEmpty)
        for curve in Curve.allCases {
            let one = [UInt8](repeating: 1, count: curve.coordinateByteCount)
            #expect(throws: PublicKey.ImportFault.self) { try PublicKey.ec(curve, x: one, y: one) }
            #expect(try leftover().isEmpty)
        }
    }

    @Test func refusedSignatures() throws {
        let keys: [(PrivateKey, SignatureScheme)] = [
            (try TestKeys.rsa.get(), .rsaPKCS1(.sha256)),
            (try TestKeys.rsa.get(), .rsaPSS(.sha256, mask: .sha256, saltByteCount: 32)),
            (try TestKeys.p256.get(), .ecdsa(.sha256)), (try TestKeys.ed25519.get(), .ed25519),
        ]
        for (key, scheme) in keys {
            let verifier = try SignatureVerifier(key.publicKey, scheme)
            let good = try key.signature(over: [1, 2, 3], scheme)
            #expect(try leftover().isEmpty)
            for byte in [UInt8(0x00), 0x01, 0x7F, 0xFF] {
                let bad = [UInt8](repeating: byte, count: verifier.signatureByteCount)
                #expect(try !verifier.isValid(bad, for: [1, 2, 3]))
                #expect(try leftover().isEmpty)
                #expect(try verifier.isValid(good, for: [1, 2, 3]))
                #expect(try leftover().isEmpty)
            }
        }
    }
}
