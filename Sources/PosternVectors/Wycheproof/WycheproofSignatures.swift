internal import PosternBase
internal import PosternCrypto

/// The groups of Wycheproof that are about bare signatures: one public key, and messages with signatures.
enum WycheproofSignatures {
    /// What a group's signatures are to be verified with.
    private enum Subject {
        case verifier(SignatureVerifier)
        /// The key is refused, and with it every signature.
        case refusedKey(String)
        case broken(String)
        case skipped(SkipRule)
    }

    static func tests(
        of group: JSONValue,
        _ kind: WycheproofFile.Kind,
        at place: String
    ) throws(VectorFault) -> [WycheproofTest] {
        let fields = try Fields(
            group,
            at: place,
            required: ["type", "source", "publicKey", "tests"] + parameters(kind),
            // The same key in other forms.
            optional: ["publicKeyAsn", "publicKeyDer", "publicKeyPem", "publicKeyJwk", "keyJwk", "keySize"]
        )
        guard try fields.text("type").isSameBytes(as: kind.rawValue) else { throw fields.misfit("type", kind.rawValue) }
        let (subject, policy) = try subject(fields, kind)
        var tests: [WycheproofTest] = []
        for (position, value) in try fields.list("tests").enumerated() {
            let test = try Fields(
                value,
                at: "\(place), test \(position + 1)",
                required: ["tcId", "comment", "msg", "sig", "result", "flags"]
            )
            let (message, signature) = (try test.hex("msg"), try test.hex("sig"))
            tests.append(try WycheproofTest(test, policy: policy) { find(subject, signature, message) })
        }
        return tests
    }

    private static func parameters(_ kind: WycheproofFile.Kind) -> [String] {
        switch kind {
        case .rsaPKCS1, .ecdsa: ["sha"]
        case .rsaPSS, .rsaPSSWithParameters: ["sha", "mgf", "mgfSha", "sLen"]
        default: []
        }
    }

    private static func find(_ subject: Subject, _ signature: [UInt8], _ message: [UInt8]) -> WycheproofTest.Finding {
        switch subject {
        case .skipped(let rule): return .skipped(rule)
        case .refusedKey(let reason): return .refused("key (\(reason))")
        case .broken(let reason): return .broken(reason)
        case .verifier(let verifier):
            do throws(CryptoError) {
                return try verifier.isValid(signature, for: message) ? .accepted : .refused("signature_invalid")
            } catch {
                return .broken(error.reason.rawValue)
            }
        }
    }

    // MARK: - Keys and schemes

    private static func subject(
        _ group: Fields,
        _ kind: WycheproofFile.Kind
    ) throws(VectorFault) -> (Subject, policy: String?) {
        switch kind {
        case .ecdsa: (try elliptic(group), nil)
        case .edDSA: (try edwards(group), nil)
        default: try rsa(group, kind)
        }
    }

    private static func hash(_ name: String) -> HashAlgorithm? {
        let known: [(String, HashAlgorithm)] = [("SHA-256", .sha256), ("SHA-384", .sha384), ("SHA-512", .sha512)]
        return known.first { $0.0.isSameBytes(as: name) }?.1
    }

    private static func elliptic(_ group: Fields) throws(VectorFault) -> Subject {
        let key = try Fields(
            try group.value("publicKey"),
            at: "\(group.place), publicKey",
            required: ["curve", "keySize", "type", "uncompressed", "wx", "wy"]
        )
        let known: [(String, Curve)] = [("secp256r1", .p256), ("secp384r1", .p384), ("secp521r1", .p521)]
        let name = try key.text("curve")
        guard let curve = known.first(where: { $0.0.isSameBytes(as: name) })?.1 else { return .skipped(.curve) }
        guard let hash = hash(try group.text("sha")) else { return .skipped(.hash) }
        let point = try key.hex("uncompressed")
        guard point.first == 4, point.count % 2 == 1, point.count > 1 else {
            throw key.misfit("uncompressed", "an uncompressed point")
        }
        let half = point.count / 2
        return make(.ecdsa(hash)) { () throws(PublicKey.ImportFault) in
            try .ec(curve, x: Array(point[1...half]), y: Array(point[(half + 1)...]))
        }
    }

    private static func edwards(_ group: Fields) throws(VectorFault) -> Subject {
        let key = try Fields(
            try group.value("publicKey"),
            at: "\(group.place), publicKey",
            required: ["type", "curve", "keySize", "pk"]
        )
        guard try key.text("curve").isSameBytes(as: "edwards25519") else { return .skipped(.curve) }
        let octets = try key.hex("pk")
        return make(.ed25519) { () throws(PublicKey.ImportFault) in try .ed25519(octets) }
    }

    private static func rsa(
        _ group: Fields,
        _ kind: WycheproofFile.Kind
    ) throws(VectorFault) -> (Subject, policy: String?) {
        let key = try Fields(
            try group.value("publicKey"),
            at: "\(group.place), publicKey",
            required: ["modulus", "publicExponent"]
        )
        guard let hash = hash(try group.text("sha")) else { return (.skipped(.hash), nil) }
        var scheme = SignatureScheme.rsaPKCS1(hash)
        if kind != .rsaPKCS1 {
            guard try group.text("mgf").isSameBytes(as: "MGF1") else { return (.skipped(.maskFunction), nil) }
            guard let mask = self.hash(try group.text("mgfSha")) else { return (.skipped(.hash), nil) }
            guard let salt = Int32(exactly: try group.integer("sLen")), salt >= 0 else {
                throw group.misfit("sLen", "a number of bytes")
            }
            scheme = .rsaPSS(hash, mask: mask, saltByteCount: Int(salt))
        }
        // Written as signed numbers, so a zero byte may stand before the first.
        let modulus = Array(try key.hex("modulus").drop { $0 == 0 })
        let exponent = Array(try key.hex("publicExponent").drop { $0 == 0 })
        let subject = make(scheme) { () throws(PublicKey.ImportFault) in
            try .rsa(modulus: modulus, exponent: exponent)
        }
        return (subject, policy(modulus, exponent))
    }

    /// Why Postern refuses the key, computed from the numbers alone, so that no other refusal is excused by it.
    private static func policy(_ modulus: [UInt8], _ exponent: [UInt8]) -> String? {
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        if !(2048...8192).contains(bits) {
            return "the RSA key has \(bits) bits; Postern takes 2048 to 8192"
        }
        let value = exponent.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if value < 65537 { return "the RSA key has the exponent \(value); Postern takes none below 65537" }
        if exponent.count > 4 { return "the RSA key has an exponent of 2^32 or more; Postern takes none above" }
        return nil
    }

    private static func make(
        _ scheme: SignatureScheme,
        _ key: () throws(PublicKey.ImportFault) -> PublicKey
    ) -> Subject {
        let publicKey: PublicKey
        do throws(PublicKey.ImportFault) {
            publicKey = try key()
        } catch {
            switch error {
            case .weak(let detail), .invalid(let detail): return .refusedKey(detail)
            }
        }
        do throws(CryptoError) {
            return .verifier(try SignatureVerifier(publicKey, scheme))
        } catch {
            return .broken(error.reason.rawValue)
        }
    }
}
