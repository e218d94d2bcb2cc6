internal import COpenSSL

extension PublicKey {
    /// The numbers that make the key, as JWK members hold them: RSA n, e without leading zeros; EC x, y of exact width.
    package enum Material: Sendable, Equatable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case ec(Curve, x: [UInt8], y: [UInt8])
        case ed25519([UInt8])
    }

    package func material() throws(CryptoError) -> Material {
        switch kind {
        case .rsa:
            return .rsa(modulus: try number(OSSL_PKEY_PARAM_RSA_N), exponent: try number(OSSL_PKEY_PARAM_RSA_E))
        case .ec(let curve):
            let width = curve.coordinateByteCount
            return .ec(
                curve,
                x: try number(OSSL_PKEY_PARAM_EC_PUB_X, width: width),
                y: try number(OSSL_PKEY_PARAM_EC_PUB_Y, width: width)
            )
        case .ed25519:
            var count = 32
            var octets = [UInt8](repeating: 0, count: count)
            guard EVP_PKEY_get_raw_public_key(pointer, &octets, &count) == 1, count == 32 else {
                throw CryptoError.library()
            }
            return .ed25519(octets)
        }
    }

    private func number(_ name: String, width: Int? = nil) throws(CryptoError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else { throw CryptoError.library() }
        defer { BN_free(number) }
        let count = width ?? (Int(BN_num_bits(number)) + 7) / 8
        var octets = [UInt8](repeating: 0, count: count)
        guard BN_bn2binpad(number, &octets, Int32(count)) == Int32(count) else { throw CryptoError.library() }
        return octets
    }
}
