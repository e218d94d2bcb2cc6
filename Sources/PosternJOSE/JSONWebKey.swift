internal import PosternBase
internal import PosternCrypto

/// One member of a key set, on its way to a usable key.
struct JSONWebKey {
    struct Unusable: Error {
        let reason: SkippedMember.Reason
        let detail: String
    }

    private let value: JSONValue
    let keyID: String?

    /// A `kid` that can be named by a token, even when the member is not usable.
    static func keyID(of value: JSONValue) -> String? {
        guard let member = value["kid"], let count = member.stringByteCount, count > 0,
            count <= JOSEHeader.maximumKeyIDByteCount
        else { return nil }
        return member.string
    }

    init(_ value: JSONValue) throws(Unusable) {
        guard value.kind == .object else { throw Unusable(reason: .notAnObject, detail: "not a JSON object") }
        self.value = value
        keyID = Self.keyID(of: value)
    }

    private static let privateParts = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// The modulus and first coordinate, as numbers, of a member that shows a private part; empty for every other one.
    ///
    /// However the numbers are spelled, they tell whose private part it is: padding, the other alphabet of base64 and
    /// leading zeros are seen through.
    static func leakedNumbers(of value: JSONValue) -> [[UInt8]] {
        let shows = privateParts.contains { name in
            value[name].map { $0.stringByteCount != 0 && $0.kind == .string } ?? false
        }
        guard shows, value["kty"]?.stringEquals("oct") != true else { return [] }
        return ["n", "x"].compactMap { value[$0]?.stringBytes }.compactMap { Base64URL.decodeLeniently($0) }
            .map { Array($0.drop { $0 == 0 }) }.filter { !$0.isEmpty }
    }

    /// The key, once it is known to be of use; one of `known` with the same numbers spares the check of them.
    ///
    /// `charge` is asked before a modulus is checked, which takes long; known keys count too, so that which keys a set gives
    /// depends on nothing but the set.
    func usableKey(
        knowing known: [KnownKey],
        charge: (_ modulusCharacters: Int) throws(Unusable) -> Void
    ) throws(Unusable) -> VerificationKey {
        try refuseSecrets()
        let type = try keyType()
        try checkForm()
        try checkCurve(type)
        try checkUse()
        let algorithm = try algorithm(for: type)
        if type == .rsa { try charge(value["n"]?.stringByteCount ?? 0) }
        let numbers = try numbers(type)
        let issuer = value["issuer"]?.string
        let twins = known.filter { $0.material == material(type, numbers) }
        if let twin = twins.first(where: { $0.key.isNamed(keyID, algorithm, issuer) }) { return twin.key }
        let key: PublicKey
        if let twin = twins.first {
            key = twin.key.publicKey
        } else {
            key = try publicKey(type, numbers)
        }
        do throws(CryptoError) {
            return try VerificationKey(
                key,
                keyID: keyID,
                declaredAlgorithm: algorithm,
                issuer: issuer
            )
        } catch {
            throw Unusable(reason: .invalid, detail: error.reason.rawValue)
        }
    }

    // MARK: - Form

    private enum KeyType { case rsa, ec, okp, oct }

    private func keyType() throws(Unusable) -> KeyType {
        guard let type = try text("kty") else { throw Unusable(reason: .malformed, detail: "kty is missing") }
        let known: [(String, KeyType)] = [("RSA", .rsa), ("EC", .ec), ("OKP", .okp), ("oct", .oct)]
        guard let match = known.first(where: { $0.0.isSameBytes(as: type) }) else {
            throw Unusable(reason: .unsupportedKeyType, detail: "kty \(Excerpt.plain(type))")
        }
        return match.1
    }

    private func text(_ name: String) throws(Unusable) -> String? {
        guard let member = value[name] else { return nil }
        guard let text = member.string else { throw Unusable(reason: .malformed, detail: "\(name) is not a string") }
        return text
    }

    private func checkForm() throws(Unusable) {
        if value["kid"] != nil, keyID == nil {
            throw Unusable(reason: .malformed, detail: "kid is not a string of 1 to 128 bytes")
        }
        for name in ["use", "alg", "crv", "issuer"] { _ = try text(name) }
        if let operations = value["key_ops"] {
            guard let elements = operations.elements, elements.allSatisfy({ $0.kind == .string }) else {
                throw Unusable(reason: .malformed, detail: "key_ops is not an array of strings")
            }
        }
    }

    /// Before all else: a secret that is published must be told, whatever else is wrong with the member.
    func refuseSecrets() throws(Unusable) {
        if value["kty"]?.stringEquals("oct") == true {
            throw Unusable(reason: .symmetric, detail: "a symmetric key does not belong in a public set")
        }
        for name in Self.privateParts where value[name] != nil {
            throw Unusable(reason: .privateParts, detail: "the private part \(name) does not belong in a public set")
        }
    }

    private func checkCurve(_ type: KeyType) throws(Unusable) {
        guard type == .ec || type == .okp else { return }
        guard let curve = try text("crv") else { throw Unusable(reason: .malformed, detail: "crv is missing") }
        let known = type == .ec ? ["P-256", "P-384", "P-521"] : ["Ed25519"]
        guard known.containsBytes(of: curve) else {
            throw Unusable(reason: .unsupportedCurve, detail: "crv \(Excerpt.plain(curve))")
        }
    }

    private func checkUse() throws(Unusable) {
        if let use = try text("use"), !use.isSameBytes(as: "sig") {
            throw Unusable(reason: .use, detail: "use is \(Excerpt.plain(use)), not sig")
        }
        if let operations = value["key_ops"]?.elements, !operations.contains(where: { $0.stringEquals("verify") }) {
            throw Unusable(reason: .keyOperations, detail: "key_ops does not hold verify")
        }
    }

    private func algorithm(for type: KeyType) throws(Unusable) -> Algorithm? {
        guard let name = try text("alg") else { return nil }
        guard let algorithm = Algorithm(named: name), suits(algorithm, type) else {
            let name = Excerpt.plain(name)
            throw Unusable(reason: .algorithm, detail: "alg \(name) is no signature algorithm of this key type")
        }
        return algorithm
    }

    // MARK: - Material

    private func numbers(_ type: KeyType) throws(Unusable) -> [[UInt8]] {
        let names = type == .rsa ? ["n", "e"] : type == .ec ? ["x", "y"] : ["x"]
        var numbers: [[UInt8]] = []
        for name in names { numbers.append(try octets(name)) }
        return numbers
    }

    private func material(_ type: KeyType, _ numbers: [[UInt8]]) -> PublicKey.Material {
        switch type {
        case .rsa: .rsa(modulus: numbers[0], exponent: numbers[1])
        case .ec: .ec(curve(), x: numbers[0], y: numbers[1])
        case .okp, .oct: .ed25519(numbers[0])
        }
    }

    private func publicKey(_ type: KeyType, _ numbers: [[UInt8]]) throws(Unusable) -> PublicKey {
        do throws(PublicKey.ImportFault) {
            switch type {
            case .rsa: return try .rsa(modulus: numbers[0], exponent: numbers[1])
            case .ec: return try .ec(curve(), x: numbers[0], y: numbers[1])
            case .okp, .oct: return try .ed25519(numbers[0])
            }
        } catch {
            switch error {
            case .weak(let detail): throw Unusable(reason: .weak, detail: detail)
            case .invalid(let detail): throw Unusable(reason: .invalid, detail: detail)
            }
        }
    }

    private func curve() -> Curve {
        if value["crv"]?.stringEquals("P-384") == true { return .p384 }
        if value["crv"]?.stringEquals("P-521") == true { return .p521 }
        return .p256
    }

    private func suits(_ algorithm: Algorithm, _ type: KeyType) -> Bool {
        switch type {
        case .rsa: algorithm.fits(.rsa(modulusByteCount: 0))
        case .ec: algorithm.fits(.ec(curve()))
        case .okp: algorithm.fits(.ed25519)
        case .oct: false
        }
    }

    private func octets(_ name: String) throws(Unusable) -> [UInt8] {
        guard let member = value[name]?.stringBytes else {
            throw Unusable(reason: .malformed, detail: "\(name) is missing or not a string")
        }
        guard let octets = Base64URL.decode(member) else {
            throw Unusable(reason: .malformed, detail: "\(name) is not canonical base64url")
        }
        return octets
    }
}
