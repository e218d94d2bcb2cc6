internal import PosternBase
internal import PosternJOSE

/// The claims that verification looks at: found in one pass over the payload, checked for form, believed only after the
/// signature.
///
/// A class, since it is passed along through every check and costs one reference each time.
final class Claims: Sendable {
    /// Seconds since 1970 below 2^40 (the year 36812), so that no sum of times can overflow.
    static let numericDates: Range<Int64> = 0..<(1 << 40)

    let document: JSONDocument
    let expiry: Int64?
    let issuedAt: Int64?
    let notBefore: Int64?
    let authenticationTime: Int64?
    let places: Places

    /// Reads the payload and checks the type of each claim that is there. With `tolerant`, for the test that leaves this
    /// check out, a claim of a wrong type counts as absent.
    init(
        _ payload: JSONText,
        _ traits: Provider.Traits,
        notification: Bool,
        tolerant: Bool
    ) throws(Refusal) {
        let document = try Self.read(payload)
        var places = Places()
        document.forEachRootMember { name, head, place in places.note(name, head, place) }
        try Self.checkTexts(&places, document, tolerant)
        self.document = document
        self.places = places
        expiry = try Self.date(document, places[.expiry], "exp", tolerant)
        issuedAt = try Self.date(document, places[.issuedAt], "iat", tolerant)
        notBefore = try Self.date(document, places[.notBefore], "nbf", tolerant)
        authenticationTime = try Self.date(document, places[.authenticationTime], "auth_time", tolerant)
        try checkPresence(traits, notification, tolerant)
    }

    private static func read(_ payload: JSONText) throws(Refusal) -> JSONDocument {
        do throws(JSONError) {
            let document = try payload.read()
            if document.rootIsObject { return document }
        } catch {
            throw Refusal(.claimsMalformed, "The payload is not JSON: \(error.message).")
        }
        throw Refusal(.claimsMalformed, "The payload is not a JSON object.")
    }

    // MARK: - Form

    private static func checkTexts(
        _ places: inout Places,
        _ document: JSONDocument,
        _ tolerant: Bool
    ) throws(Refusal) {
        try requireText(&places[.issuer], "iss", document, tolerant)
        try requireText(&places[.subject], "sub", document, tolerant)
        try requireText(&places[.nonce], "nonce", document, tolerant)
        try requireText(&places[.authorizedParty], "azp", document, tolerant)
        try requireText(&places[.accessTokenHash], "at_hash", document, tolerant)
        try requireText(&places[.codeHash], "c_hash", document, tolerant)
        try requireText(&places[.tenant], "tid", document, tolerant)
        if let place = places[.audience], !document.isString(at: place), !isTextArray(document.value(at: place)) {
            try misfit("aud is neither a string nor an array of strings", tolerant)
            places[.audience] = nil
        }
    }

    private func checkPresence(
        _ traits: Provider.Traits,
        _ notification: Bool,
        _ tolerant: Bool
    ) throws(Refusal) {
        if expiry == nil, !notification { try Self.misfit("exp is missing", tolerant) }
        if issuedAt == nil { try Self.misfit("iat is missing", tolerant) }
        if authenticationTime == nil, traits.authenticationTimeRequired, !notification {
            try Self.misfit("auth_time is missing", tolerant)
        }
        if let count = subjectByteCount, count > traits.subjectMaximumByteCount {
            try Self.misfit("sub is longer than \(traits.subjectMaximumByteCount) bytes", tolerant)
        }
    }

    private static func requireText(
        _ place: inout Int?,
        _ name: StaticString,
        _ document: JSONDocument,
        _ tolerant: Bool
    ) throws(Refusal) {
        guard let found = place, !document.isString(at: found) else { return }
        try misfit("\(name) is not a string", tolerant)
        place = nil
    }

    private static func misfit(_ problem: @autoclosure () -> String, _ tolerant: Bool) throws(Refusal) {
        guard tolerant else { throw Refusal(.claimsMalformed, "In the claims, \(problem()).") }
    }

    private static func isTextArray(_ value: JSONValue) -> Bool {
        value.elements?.allSatisfy { $0.kind == .string } ?? false
    }

    private static func date(
        _ document: JSONDocument,
        _ place: Int?,
        _ name: StaticString,
        _ tolerant: Bool
    ) throws(Refusal) -> Int64? {
        guard let place else { return nil }
        // RFC 7519 §2 allows fractions of a second; they are dropped.
        if let number = document.flooredNumber(at: place), numericDates.contains(number.value) {
            return number.value
        }
        let milliseconds =
            document.flooredNumber(at: place).map { $0.value > 0 && numericDates.contains($0.value / 1000) } ?? false
        let remark = milliseconds ? "; it seems to be in milliseconds" : ""
        try misfit("\(name) is not a number of seconds from 0 to 2^40\(remark)", tolerant)
        return nil
    }

    // MARK: - Values

    private func value(_ place: Int?) -> JSONValue? { place.map { document.value(at: $0) } }

    var issuer: String? { value(places[.issuer])?.string }
    var tenant: String? { value(places[.tenant])?.string }
    var authorizedParty: String? { value(places[.authorizedParty])?.string }
    var accessTokenHash: String? { value(places[.accessTokenHash])?.string }
    var codeHash: String? { value(places[.codeHash])?.string }
    var events: JSONValue? { value(places[.events]) }
    var subjectByteCount: Int? { places[.subject].flatMap { document.stringByteCount(at: $0) } }
    var hasNonce: Bool { places[.nonce] != nil }
    var nonce: String? { value(places[.nonce])?.string }

    func issuerEquals(_ issuer: String) -> Bool {
        places[.issuer].map { document.isString(at: $0, equalTo: issuer) } ?? false
    }

    func issuerEquals(_ issuer: FixedText) -> Bool {
        guard let place = places[.issuer] else { return false }
        return document.isString(at: place, equalTo: issuer.bytes)
    }

    /// Calls `body` with the bytes of the nonce; with nil when it is absent or, which is the same, empty.
    func withNonce(_ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
        guard let place = places[.nonce] else { return body(nil) }
        document.withStringBytes(at: place) { bytes in
            body(bytes.flatMap { $0.isEmpty ? nil : $0 })
        }
    }

    var audienceValue: JSONValue? { value(places[.audience]) }

    /// Whether `aud` is this one text.
    func audienceEquals(_ clientID: FixedText) -> Bool {
        guard let place = places[.audience] else { return false }
        return document.isString(at: place, equalTo: clientID.bytes)
    }

    /// The audiences, for a message.
    var audienceList: [String] {
        guard let audience = audienceValue else { return [] }
        return audience.elements?.compactMap(\.string) ?? audience.string.map { [$0] } ?? []
    }
}

/// Where in the payload each claim stands.
struct Places: Sendable {
    /// The claims that are looked for.
    enum Claim: Int {
        case issuer, subject, audience, expiry, issuedAt, notBefore, authenticationTime, nonce, authorizedParty
        case accessTokenHash, codeHash, tenant, events
        // Not checked, but told to whoever asked.
        case email, isEmailVerified, isPrivateEmail, realUserStatus, transferSubject, organization, object
    }

    // 0, where the root stands, for a claim that is absent. Small, since it is made and copied for every token.
    private var places = InlineArray<20, UInt32>(repeating: 0)

    /// The place of a claim; nil when it is absent.
    subscript(claim: Claim) -> Int? {
        @inline(__always) get {
            let place = places[claim.rawValue]
            return place == 0 ? nil : Int(place)
        }
        @inline(__always) set { places[claim.rawValue] = UInt32(truncatingIfNeeded: newValue ?? 0) }
    }

    mutating func note(_ name: UnsafeBufferPointer<UInt8>, _ head: UInt64, _ place: Int) {
        switch (name.count, head) {
        case (3, 0x69_7373): self[.issuer] = place  // iss
        case (3, 0x73_7562): self[.subject] = place  // sub
        case (3, 0x61_7564): self[.audience] = place  // aud
        case (3, 0x65_7870): self[.expiry] = place  // exp
        case (3, 0x69_6174): self[.issuedAt] = place  // iat
        case (3, 0x6E_6266): self[.notBefore] = place  // nbf
        case (3, 0x61_7A70): self[.authorizedParty] = place  // azp
        case (3, 0x74_6964): self[.tenant] = place  // tid
        case (3, 0x6F_6964): self[.object] = place  // oid
        case (5, 0x65_6D61_696C): self[.email] = place  // email
        case (5, 0x6E_6F6E_6365): self[.nonce] = place  // nonce
        case (6, 0x635F_6861_7368): self[.codeHash] = place  // c_hash
        case (6, 0x6576_656E_7473): self[.events] = place  // events
        case (6, 0x6F72_675F_6964): self[.organization] = place  // org_id
        case (7, 0x61_745F_6861_7368): self[.accessTokenHash] = place  // at_hash
        case (9, 0x6175_7468_5F74_696D) where name[8] == 0x65: self[.authenticationTime] = place  // auth_time
        default: noteLong(name, place)
        }
    }

    private mutating func noteLong(_ name: UnsafeBufferPointer<UInt8>, _ place: Int) {
        func isCalled(_ wanted: StaticString) -> Bool {
            name.isSameBytes(as: UnsafeBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount))
        }
        switch name.count {
        case 12 where isCalled("transfer_sub"): self[.transferSubject] = place
        case 14 where isCalled("email_verified"): self[.isEmailVerified] = place
        case 16 where isCalled("is_private_email"): self[.isPrivateEmail] = place
        case 16 where isCalled("real_user_status"): self[.realUserStatus] = place
        default: break
        }
    }
}
