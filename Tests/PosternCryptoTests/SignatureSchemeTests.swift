import PosternCrypto
import PosternTestSupport
import Testing

@Suite struct SignatureSchemeTests {
    /// −1, −2 and −3 are OpenSSL's words for "digest", "auto" and "max"; Int.max does not fit its integers.
    @Test(arguments: [
        (0, true), (32, true), (1024, true), (-1, false), (-2, false), (-3, false), (1025, false), (Int.max, false),
        (Int.min, false),
    ])
    func saltLengths(_ count: Int, _ isTaken: Bool) throws {
        let key = try TestKeys.rsa.get()
        let scheme = SignatureScheme.rsaPSS(.sha256, mask: .sha256, saltByteCount: count)
        #expect(((try? SignatureVerifier(key.publicKey, scheme)) != nil) == isTaken)
        if !isTaken { #expect(throws: CryptoError.self) { try key.signature(over: [], scheme) } }
    }
}
