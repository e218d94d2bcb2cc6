import PosternBase
import PosternCrypto
import PosternTestSupport
import Synchronization
import Testing

@Suite struct SignatureTests {
    private let message = Array("a message".utf8)

    private static let schemes: [(name: String, scheme: SignatureScheme, key: @Sendable () throws -> PrivateKey)] = [
        ("RS256", .rsaPKCS1(.sha256), { try TestKeys.rsa.get() }),
        ("RS384", .rsaPKCS1(.sha384), { try TestKeys.rsa.get() }),
        ("RS512", .rsaPKCS1(.sha512), { try TestKeys.rsa.get() }),
        ("PS256", .rsaPSS(.sha256, mask: .sha256, saltByteCount: 32), { try TestKeys.rsa.get() }),
        ("PS384", .rsaPSS(.sha384, mask: .sha384, saltByteCount: 48), { try TestKeys.rsa.get() }),
        ("PS512", .rsaPSS(.sha512, mask: .sha512, saltByteCount: 64), { try TestKeys.rsa.get() }),
        ("PSS, no salt", .rsaPSS(.sha256, mask: .sha256, saltByteCount: 0), { try TestKeys.rsa.get() }),
        ("PSS, other mask", .rsaPSS(.sha256, mask: .sha512, saltByteCount: 20), { try TestKeys.rsa.get() }),
        ("ES256", .ecdsa(.sha256), { try TestKeys.p256.get() }), ("ES384", .ecdsa(.sha384), { try .generateEC(.p384) }),
        ("ES512", .ecdsa(.sha512), { try .generateEC(.p521) }),
        ("P-256, SHA-512", .ecdsa(.sha512), { try TestKeys.p256.get() }),
        ("EdDSA", .ed25519, { try TestKeys.ed25519.get() }),
    ]

    @Test(arguments: schemes.indices)
    func goodAndBad(_ index: Int) throws {
        let (name, scheme, make) = Self.schemes[index]
        let key = try make()
        let verifier = try SignatureVerifier(key.publicKey, scheme)
        for round in 0..<8 {
            let signature = try key.signature(over: message, scheme)
            #expect(signature.count == verifier.signatureByteCount, "\(name)")
            #expect(try verifier.isValid(signature, for: message))
            var altered = signature
            altered[(round * 37) % signature.count] ^= 0x01
            #expect(try !verifier.isValid(altered, for: message))
            #expect(try !verifier.isValid(signature, for: message + [0]))
            for bad in [
                Array(signature.dropLast()), signature + [0], [0] + signature, [], Array(signature.dropFirst()),
            ] {
                #expect(try !verifier.isValid(bad, for: message))
            }
            // A bad signature leaves nothing behind.
            #expect(try verifier.isValid(signature, for: message))
        }
        let zeros = [UInt8](repeating: 0, count: verifier.signatureByteCount)
        #expect(try !verifier.isValid(zeros, for: message))
        #expect(try !verifier.isValid(zeros.map { _ in 0xFF }, for: message))
    }

    @Test func schemesDoNotMix() throws {
        let key = try TestKeys.rsa.get()
        let rsa: [SignatureScheme] = [
            .rsaPKCS1(.sha256), .rsaPKCS1(.sha512), .rsaPSS(.sha256, mask: .sha256, saltByteCount: 32),
            .rsaPSS(.sha256, mask: .sha256, saltByteCount: 31), .rsaPSS(.sha256, mask: .sha256, saltByteCount: 0),
            .rsaPSS(.sha256, mask: .sha384, saltByteCount: 32), .rsaPSS(.sha512, mask: .sha512, saltByteCount: 64),
        ]
        for made in rsa {
            let signature = try key.signature(over: message, made)
            for asked in rsa {
                #expect(try SignatureVerifier(key.publicKey, asked).isValid(signature, for: message) == (made == asked))
            }
        }
        #expect(throws: CryptoError.self) { try SignatureVerifier(key.publicKey, .ecdsa(.sha256)) }
        #expect(throws: CryptoError.self) { try SignatureVerifier(key.publicKey, .ed25519) }
    }

    /// OpenSSL takes a PSS signature that has lost its leading zero byte; the length is checked here.
    @Test func pssShortByItsZero() throws {
        let key = try TestKeys.rsa.get()
        let scheme = SignatureScheme.rsaPSS(.sha256, mask: .sha256, saltByteCount: 32)
        let verifier = try SignatureVerifier(key.publicKey, scheme)
        for number in 0..<20_000 {
            let message = Array("message \(number)".utf8)
            let signature = try key.signature(over: message, scheme)
            guard signature[0] == 0 else { continue }
            #expect(try verifier.isValid(signature, for: message))
            #expect(try !verifier.isValid(Array(signature.dropFirst()), for: message))
            return
        }
        Issue.record("no signature began with a zero byte")
    }

    @Test func ecdsaEdges() throws {
        let key = try TestKeys.p256.get()
        let verifier = try SignatureVerifier(key.publicKey, .ecdsa(.sha256))
        let order = try #require(Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
        var below = order
        below[31] -= 1
        let one = [UInt8](repeating: 0, count: 31) + [1]
        let zero = [UInt8](repeating: 0, count: 32)
        for r in [zero, one, below, order] {
            for s in [zero, one, below, order] { #expect(try !verifier.isValid(r + s, for: message)) }
        }
        let signature = try key.signature(over: message, .ecdsa(.sha256))
        let der = derSignature(signature)
        #expect(try !verifier.isValid(der, for: message))
    }

    /// More threads than it keeps contexts for share one verifier; each verdict is the right one.
    @Test func threads() throws {
        for (scheme, key) in [
            (SignatureScheme.rsaPKCS1(.sha256), try TestKeys.rsa.get()), (.ecdsa(.sha256), try TestKeys.p256.get()),
            (.ed25519, try TestKeys.ed25519.get()),
        ] {
            let verifier = try SignatureVerifier(key.publicKey, scheme)
            let signature = try key.signature(over: message, scheme)
            var bad = signature
            bad[5] ^= 1
            let altered = bad
            let wrong = Atomic(0)
            onManyThreads(24) { thread in
                for round in 0..<40 {
                    let isGood = (thread + round).isMultiple(of: 2)
                    let verdict = try? verifier.isValid(isGood ? signature : altered, for: message)
                    if verdict != isGood { wrong.add(1, ordering: .relaxed) }
                }
            }
            #expect(wrong.load(ordering: .relaxed) == 0)
        }
    }

    @Test func constantTimeEquality() {
        #expect(ConstantTime.equals([1, 2, 3], [1, 2, 3]))
        #expect(ConstantTime.equals([], [] as [UInt8]))
        for other in [[1, 2, 4], [0, 2, 3], [1, 2], [1, 2, 3, 0], []] as [[UInt8]] {
            #expect(!ConstantTime.equals([1, 2, 3], other))
        }
    }

    @Test func digestsOfManyThreads() throws {
        let texts = (0..<24).map { Array("thread \($0)".utf8) }
        let expected = try texts.map { try HashAlgorithm.sha256.digest(of: $0) }
        let wrong = Atomic(0)
        onManyThreads(24) { thread in
            for _ in 0..<500 where (try? HashAlgorithm.sha256.digest(of: texts[thread])) != expected[thread] {
                wrong.add(1, ordering: .relaxed)
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }

    @Test func digests() throws {
        #expect(
            Hex.encode(try HashAlgorithm.sha256.digest(of: Array("postern".utf8)))
                == "b696ec19b1e95356f45db8ec4736266d08cca80b6e9bc9db6dc4155b070f7376"
        )
        #expect(try HashAlgorithm.sha384.digest(of: []).count == 48)
        #expect(try HashAlgorithm.sha512.digest(of: []).count == 64)
        let code = try HMAC.authenticationCode(of: Array("postern".utf8), key: Array("key".utf8), using: .sha256)
        #expect(Hex.encode(code) == "814b673485282979e70c8ba11e49b4771ecc6596299bc86e1e8010633b4406a7")
        #expect(throws: CryptoError.self) { try HMAC.authenticationCode(of: [1], key: [], using: .sha256) }
    }
}

/// The DER of an R ‖ S, as ASN.1 wants it: no needless zeros, and a zero before a top bit.
private func derSignature(_ raw: [UInt8]) -> [UInt8] {
    let integers = [raw[..<(raw.count / 2)], raw[(raw.count / 2)...]].map { half -> [UInt8] in
        let digits = Array(half.drop { $0 == 0 })
        let number = (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits
        return [0x02, UInt8(number.count)] + number
    }
    let content = integers[0] + integers[1]
    return [0x30, UInt8(content.count)] + content
}
