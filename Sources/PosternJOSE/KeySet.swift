public import PosternBase

/// Why a text is no JWK Set (RFC 7517 §5) at all; a bad member alone never is the reason.
public struct KeySetError: Error, Sendable, Equatable {
    public let message: String

    package init(_ message: String) { self.message = message }
}

/// The usable public keys of a JWK Set, and what was skipped (RFC 7517 §5).
public struct KeySet: Sendable {
    /// Usable keys beyond this many are skipped.
    public static let maximumUsableKeys = 64
    /// Members beyond this many are skipped unread: no publisher has so many.
    static let maximumMembers = 256
    /// What the checks of RSA moduli of one set may cost, in units of one of 2048 bits (milliseconds). The cost grows with
    /// the cube of the length, so 64 keys of 4096 bits fit, and a set made to keep us busy does not.
    static let checkBudget = 512

    public let usable: [VerificationKey]
    public let skipped: [SkippedMember]

    public init(keys: [VerificationKey], skipped: [SkippedMember] = []) {
        usable = keys
        self.skipped = skipped
    }

    /// Reads a JWK Set from its JSON text.
    ///
    /// Members that cannot verify signatures are skipped and listed. Throws `KeySetError` when the text is no strict JSON
    /// object with an array `keys`. Checking an RSA key costs milliseconds, so keep the result.
    public init(_ json: [UInt8]) throws(KeySetError) { try self.init(json, reusing: nil) }

    /// Reads a JWK Set as above; keys whose numbers stand in `previous` are taken from there, so that only new ones are
    /// checked.
    package init(_ json: [UInt8], reusing previous: KeySet?) throws(KeySetError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(json)
        } catch {
            throw KeySetError("The key set is not JSON: \(error.message).")
        }
        try self.init(document.root, reusing: previous)
    }

    /// Reads a JWK Set that stands inside another document.
    public init(_ value: JSONValue) throws(KeySetError) { try self.init(value, reusing: nil) }

    private init(_ value: JSONValue, reusing previous: KeySet?) throws(KeySetError) {
        guard value.kind == .object else { throw KeySetError("The key set is not a JSON object.") }
        guard let members = value["keys"]?.elements else {
            throw KeySetError("The key set has no array \"keys\": a JWK Set looks like {\"keys\":[…]}.")
        }
        var builder = Builder(known: KnownKey.all(of: previous))
        for (position, member) in members.enumerated() { builder.add(member, at: position) }
        self.init(keys: builder.usable, skipped: builder.skipped)
    }

    private struct Builder {
        let known: [KnownKey]
        var usable: [VerificationKey] = []
        var skipped: [SkippedMember] = []
        private var spent = 0

        init(known: [KnownKey]) { self.known = known }

        /// The rough cost of checking a member, by the length of its modulus.
        private static func cost(of member: JSONValue) -> Int {
            guard let characters = member["n"]?.stringByteCount else { return 1 }
            // 342 characters are 2048 bits; longer than 8192 bits is refused unchecked.
            let length = min(max(characters, 342), 1366) * 4 / 342
            return length * length * length / 64
        }

        mutating func add(_ member: JSONValue, at position: Int) {
            do throws(JSONWebKey.Unusable) {
                guard usable.count < KeySet.maximumUsableKeys, position < KeySet.maximumMembers else {
                    throw JSONWebKey.Unusable(reason: .tooMany, detail: "the set has too many keys")
                }
                // A known key counts too, so that which keys a set gives depends on nothing but the set.
                spent += Self.cost(of: member)
                guard spent <= KeySet.checkBudget else {
                    throw JSONWebKey.Unusable(reason: .tooMany, detail: "checking the keys of this set takes too long")
                }
                let key = try JSONWebKey(member).usableKey(knowing: known)
                guard !usable.contains(where: { $0.isDuplicate(of: key) }) else {
                    throw JSONWebKey.Unusable(reason: .duplicate, detail: "the same key stands in the set before")
                }
                usable.append(key)
            } catch {
                let keyID = JSONWebKey.keyID(of: member)
                skipped.append(
                    SkippedMember(position: position, keyID: keyID, reason: error.reason, detail: error.detail)
                )
            }
        }
    }
}

extension VerificationKey {
    /// Same name, same material, same algorithm, same issuer.
    fileprivate func isDuplicate(of other: VerificationKey) -> Bool {
        thumbprint == other.thumbprint && isNamed(other.keyID, other.declaredAlgorithm, other.issuer)
    }
}
