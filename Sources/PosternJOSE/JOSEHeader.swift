package import PosternBase

/// The header of a compact JWS, read and checked for form, trusted for nothing.
///
/// `jwk`, `jku`, `x5u` and `x5c` are never looked at: a token cannot say which key to trust (RFC 8725 §3.10).
package struct JOSEHeader: Sendable {
    package static let maximumKeyIDByteCount = 128

    /// A member that changes how the token must be read, and that Postern refuses (RFC 7515 §4.1.11, RFC 7797, RFC 7516 §4.1.3).
    package enum CriticalMember: String, Sendable { case crit, b64, zip }

    package let document: JSONDocument
    /// nil for a name that is none of the supported signature algorithms.
    package let algorithm: Algorithm?
    /// The last such member; nil in every header of an identity token.
    package let criticalMember: CriticalMember?
    private let algorithmPlace: Int
    private let keyIDPlace: Int?
    private let typePlace: Int?

    /// The `alg` member as it stands.
    package var algorithmName: String { document.value(at: algorithmPlace).string ?? "" }

    /// The `kid` member: opaque, 1 to 128 bytes.
    package var keyID: String? { keyIDPlace.flatMap { document.value(at: $0).string } }

    package var hasKeyID: Bool { keyIDPlace != nil }

    /// The `typ` member.
    package var type: String? { typePlace.flatMap { document.value(at: $0).string } }

    package func keyIDEquals(_ keyID: String) -> Bool {
        keyIDPlace.map { document.isString(at: $0, equalTo: keyID) } ?? false
    }

    init(_ text: JSONText, rules: JWSRules) throws(JWSFault) {
        do throws(JSONError) {
            document = try text.read()
        } catch {
            throw JWSFault(stage: .header, message: "The header is not JSON: \(error.message).")
        }
        guard document.rootIsObject else {
            throw JWSFault(stage: .header, message: "The header is not a JSON object.")
        }
        let places = Places(document)
        guard let algorithmPlace = places.algorithm, document.isString(at: algorithmPlace) else {
            throw JWSFault(stage: .header, message: "The header has no alg, or one that is not a string.")
        }
        self.algorithmPlace = algorithmPlace
        var algorithm: Algorithm?
        document.withStringBytes(at: algorithmPlace) { algorithm = $0.flatMap { Algorithm(named: $0) } }
        self.algorithm = algorithm
        criticalMember = places.critical
        let checked = rules.contains(.header) ? places : places.withoutMisfits(in: document)
        try checked.check(in: document)
        keyIDPlace = checked.keyID
        typePlace = checked.type
    }
}

/// Where the members that matter stand.
private struct Places {
    var algorithm: Int?
    var keyID: Int?
    var type: Int?
    var contentType: Int?
    var encryption: Int?
    var critical: JOSEHeader.CriticalMember?

    init(_ document: JSONDocument) {
        var places = Places()
        document.forEachRootMember { name, head, place in places.note(name.count, head, place) }
        self = places
    }

    private init() {}

    private mutating func note(_ count: Int, _ head: UInt64, _ place: Int) {
        // The length belongs to it: "\u{0}alg" has the same head as "alg".
        switch (count, head) {
        case (3, 0x61_6C67): algorithm = place  // alg
        case (3, 0x6B_6964): keyID = place  // kid
        case (3, 0x74_7970): type = place  // typ
        case (3, 0x63_7479): contentType = place  // cty
        case (3, 0x65_6E63): encryption = place  // enc
        case (4, 0x6372_6974): critical = .crit
        case (3, 0x62_3634): critical = .b64
        case (3, 0x7A_6970): critical = .zip
        default: break
        }
    }

    func check(in document: JSONDocument) throws(JWSFault) {
        guard encryption == nil else {
            throw JWSFault(stage: .header, message: "The header has enc: an encrypted token is no identity token.")
        }
        if let keyID {
            guard let count = document.stringByteCount(at: keyID), count > 0,
                count <= JOSEHeader.maximumKeyIDByteCount
            else {
                throw JWSFault(stage: .header, message: "The header's kid is not a string of 1 to 128 bytes.")
            }
        }
        try requireString(type, "typ", in: document)
        try requireString(contentType, "cty", in: document)
    }

    private func requireString(_ place: Int?, _ name: StaticString, in document: JSONDocument) throws(JWSFault) {
        if let place, !document.isString(at: place) {
            throw JWSFault(stage: .header, message: "The header's \(name) is not a string.")
        }
    }

    /// For the test that leaves the header rules out: what breaks them counts as absent.
    func withoutMisfits(in document: JSONDocument) -> Places {
        var places = self
        places.encryption = nil
        for path in [\Places.keyID, \Places.type, \Places.contentType] {
            if let place = places[keyPath: path], !document.isString(at: place) {
                places[keyPath: path] = nil
            }
        }
        if let place = places.keyID, document.stringByteCount(at: place) ?? 0 > JOSEHeader.maximumKeyIDByteCount {
            places.keyID = nil
        }
        return places
    }
}
