internal import COpenSSL

/// The elliptic curves of JOSE's ECDSA (RFC 7518 §6.2.1.1).
package enum Curve: Sendable, CaseIterable {
    case p256, p384, p521

    /// Bytes of one coordinate, and of one half of a signature.
    package var coordinateByteCount: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    var groupName: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }
}

/// An asymmetric public key, ready to verify with: one that import has checked, or the public half of a key of our own.
package final class PublicKey: @unchecked Sendable {
    package enum Kind: Sendable, Equatable {
        /// With the modulus' length in bytes.
        case rsa(modulusByteCount: Int)
        case ec(Curve)
        case ed25519
    }

    package let kind: Kind
    // EVP_PKEY is counted and safe to read from several threads once it is complete.
    let pointer: OpaquePointer

    /// Takes ownership of `pointer`.
    init(kind: Kind, pointer: OpaquePointer) {
        self.kind = kind
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    /// The length of the modulus, or of the order of the group.
    package var bitCount: Int { Int(EVP_PKEY_get_bits(pointer)) }
}

extension PublicKey {
    /// What import refuses though OpenSSL would take it.
    package enum ImportFault: Error, Equatable {
        /// An RSA modulus below 2048 or above 8192 bits or of a known flawed generator, an Ed25519 point of small order.
        case weak(String)
        /// A number or point that is no key at all.
        case invalid(String)
    }

    package static let rsaModulusBits = 2048...8192

    /// An RSA key from big-endian numbers without leading zeros (RFC 7518 §6.3.1).
    package static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(ImportFault) -> PublicKey {
        try checkRSA(modulus: modulus, exponent: exponent)
        let parameters = KeyParameters()
        parameters.add(number: modulus, as: OSSL_PKEY_PARAM_RSA_N)
        parameters.add(number: exponent, as: OSSL_PKEY_PARAM_RSA_E)
        guard let pointer = parameters.makeKey("RSA") else { throw .invalid("OpenSSL refuses the RSA numbers") }
        let key = PublicKey(kind: .rsa(modulusByteCount: modulus.count), pointer: pointer)
        try key.check("the modulus or exponent fails the public-key check")
        return key
    }

    private static func checkRSA(modulus: [UInt8], exponent: [UInt8]) throws(ImportFault) {
        guard let top = modulus.first, top != 0 else { throw .invalid("the modulus has a leading zero octet") }
        guard let first = exponent.first, first != 0 else { throw .invalid("the exponent has a leading zero octet") }
        let bits = modulus.count * 8 - top.leadingZeroBitCount
        guard rsaModulusBits.contains(bits) else { throw .weak("an RSA modulus of \(bits) bits") }
        guard exponent.count <= 4 else { throw .invalid("an exponent of 2^32 or more") }
        let value = exponent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard value >= 65537, value & 1 == 1 else { throw .invalid("the exponent \(value)") }
        guard let last = modulus.last, last & 1 == 1 else { throw .invalid("an even modulus") }
        guard !FlawedGenerator.made(modulus) else { throw .weak("a modulus of a flawed generator (CVE-2017-15361)") }
    }

    /// A point on a curve from coordinates of exact width (RFC 7518 §6.2.1).
    package static func ec(_ curve: Curve, x: [UInt8], y: [UInt8]) throws(ImportFault) -> PublicKey {
        guard x.count == curve.coordinateByteCount, y.count == curve.coordinateByteCount else {
            throw .invalid("a coordinate that is not \(curve.coordinateByteCount) octets long")
        }
        let parameters = KeyParameters()
        parameters.add(text: curve.groupName, as: OSSL_PKEY_PARAM_GROUP_NAME)
        parameters.add(octets: [4] + x + y, as: OSSL_PKEY_PARAM_PUB_KEY)
        guard let pointer = parameters.makeKey("EC") else { throw .invalid("a point that is not on the curve") }
        let key = PublicKey(kind: .ec(curve), pointer: pointer)
        try key.check("a point that is not on the curve")
        return key
    }

    /// An Ed25519 key from its 32 octets (RFC 8037 §2).
    package static func ed25519(_ x: [UInt8]) throws(ImportFault) -> PublicKey {
        guard x.count == 32 else { throw .invalid("an Ed25519 key that is not 32 octets long") }
        guard !SmallOrderPoint.isOne(x) else { throw .weak("an Ed25519 key of small order: anyone can sign for it") }
        guard let pointer = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, x, x.count) else {
            _ = CryptoError.library()
            throw .invalid("OpenSSL refuses the Ed25519 key")
        }
        return PublicKey(kind: .ed25519, pointer: pointer)
    }

    private func check(_ failure: String) throws(ImportFault) {
        let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_public_check(context) == 1 else {
            _ = CryptoError.library()
            throw .invalid(failure)
        }
    }
}
