internal import COpenSSL

/// A private key of our own: for our tokens, and for the test tokens that are made on the spot.
package final class PrivateKey: @unchecked Sendable {
    package let publicKey: PublicKey
    // EVP_PKEY is counted and safe to use from several threads once it is complete.
    let pointer: OpaquePointer

    /// Takes ownership of `pointer`.
    private init(_ pointer: OpaquePointer) throws(CryptoError) {
        guard let kind = PublicKey.Kind(pointer), EVP_PKEY_up_ref(pointer) == 1 else {
            EVP_PKEY_free(pointer)
            throw CryptoError(.invalidKey, "neither RSA of 2048 to 8192 bits, P-256, P-384, P-521 nor Ed25519")
        }
        self.pointer = pointer
        publicKey = PublicKey(kind: kind, pointer: pointer)
    }

    deinit { EVP_PKEY_free(pointer) }

    package static func generateRSA(bits: Int) throws(CryptoError) -> PrivateKey {
        guard PublicKey.rsaModulusBits.contains(bits), let pointer = postern_rsa_generate(UInt32(bits)) else {
            throw CryptoError.library(.unsupported)
        }
        return try PrivateKey(pointer)
    }

    package static func generateEC(_ curve: Curve) throws(CryptoError) -> PrivateKey {
        guard let pointer = postern_ec_generate(curve.groupName) else { throw CryptoError.library() }
        return try PrivateKey(pointer)
    }

    package static func generateEd25519() throws(CryptoError) -> PrivateKey {
        guard let pointer = postern_ed25519_generate() else { throw CryptoError.library() }
        return try PrivateKey(pointer)
    }

    /// Reads an unencrypted PEM private key (PKCS#8 of RFC 5958, or the older forms per algorithm).
    package convenience init(pem: [UInt8]) throws(CryptoError) {
        guard let pointer = Self.read(pem) else { throw CryptoError.library(.invalidKey) }
        try self.init(pointer)
    }

    private static func read(_ pem: [UInt8]) -> OpaquePointer? {
        // OpenSSL keeps a pointer to the text, which would end with the call that it is made for.
        pem.withUnsafeBytes { text in
            guard let count = Int32(exactly: text.count), let memory = BIO_new_mem_buf(text.baseAddress, count) else {
                return nil
            }
            defer { BIO_free(memory) }
            // An encrypted key would make OpenSSL ask at the terminal; this keeps it from that.
            return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in 0 }, nil)
        }
    }

    /// The signature over `message`; ECDSA as R ‖ S.
    package func signature(
        over message: [UInt8],
        _ scheme: SignatureScheme
    ) throws(CryptoError) -> [UInt8] {
        try SignatureMaker(self, scheme).signature(over: message)
    }
}

extension PublicKey.Kind {
    fileprivate init?(_ pointer: OpaquePointer) {
        switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_RSA:
            guard PublicKey.rsaModulusBits.contains(Int(EVP_PKEY_get_bits(pointer))) else { return nil }
            self = .rsa(modulusByteCount: Int(EVP_PKEY_get_size(pointer)))
        case EVP_PKEY_ED25519:
            self = .ed25519
        case EVP_PKEY_EC:
            guard let curve = Self.curve(pointer) else { return nil }
            self = .ec(curve)
        default:
            return nil
        }
    }

    /// By name: secp256k1 and others have keys of the same size.
    private static func curve(_ pointer: OpaquePointer) -> Curve? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
            var count = 0
            guard EVP_PKEY_get_group_name(pointer, name.baseAddress, name.count, &count) == 1 else {
                _ = CryptoError.library()
                return nil
            }
            let identifier = OBJ_txt2nid(name.baseAddress)
            return Curve.allCases.first { EC_curve_nist2nid($0.groupName) == identifier }
        }
    }
}
