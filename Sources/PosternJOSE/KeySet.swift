package import PosternBase

/// Why a text is no JWK Set (RFC 7517 §5) at all; a bad member alone never is the reason.
public struct KeySetError: Error, Sendable, Equatable {
    /// What is wrong with the text, in English.
    public let message: String

    package init(_ message: String) { self.message = message }
}

/// The usable public keys of a JWK Set, and what was skipped (RFC 7517 §5).
public struct KeySet: Sendable {
    /// Usable keys beyond this many are skipped.
    public static let maximumUsableKeys = 64
    /// The largest JSON text that is read, in bytes: 1 MiB.
    public static let maximumSize = 1 << 20
    /// Members beyond this many are counted unread: no publisher has so many.
    static let maximumMembers = 256
    /// What the checks of RSA moduli of one set may cost, in units of one of 2048 bits (about 3 ms). The cost grows with the
    /// cube of the length, so 64 keys of 2048 or 16 of 4096 bits fit, and a set made to keep us busy does not.
    static let checkBudget = 128

    // One reference, so that a copy for each verification costs one count.
    private final class Contents: Sendable {
        let usable: [VerificationKey]
        let skipped: [SkippedMember]
        let unreadCount: Int

        init(_ usable: [VerificationKey], _ skipped: [SkippedMember], _ unreadCount: Int) {
            self.usable = usable
            self.skipped = skipped
            self.unreadCount = unreadCount
        }
    }

    private let contents: Contents

    /// The keys that can verify, at most 64, in the order of the set.
    public var usable: [VerificationKey] { contents.usable }
    /// The members that were read and are not used, in the order of the set.
    public var skipped: [SkippedMember] { contents.skipped }
    /// How many members come after the first 256; they were not read.
    public var unreadCount: Int { contents.unreadCount }

    package init(keys: [VerificationKey], skipped: [SkippedMember] = [], unreadCount: Int = 0) {
        contents = Contents(keys, skipped, unreadCount)
    }

    /// Reads a JWK Set from its JSON text.
    ///
    /// Members that cannot verify signatures are skipped and listed. Throws `KeySetError` when the text is no strict JSON
    /// object with an array `keys`, or larger than `maximumSize`. Checking an RSA key costs milliseconds, so keep the result.
    public init(_ json: [UInt8]) throws(KeySetError) { try self.init(json, reusing: nil) }

    /// Reads a JWK Set as above; keys whose numbers stand in `previous` are taken from there, so that only new ones are
    /// checked.
    package init(_ json: [UInt8], reusing previous: KeySet?) throws(KeySetError) {
        guard json.count <= Self.maximumSize else {
            throw KeySetError("The key set is larger than \(Self.maximumSize) bytes.")
        }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(json)
        } catch {
            let hint = json.starts(with: "-----BEGIN".utf8) ? "; a JWK Set is needed, not PEM" : ""
            throw KeySetError("The key set is not JSON: \(error.message)\(hint).")
        }
        try self.init(document.root, reusing: previous)
    }

    /// What the object seems to be instead.
    private static func hint(_ value: JSONValue) -> String {
        if value["jwks_uri"] != nil { return "this is a discovery document; its jwks_uri says where the keys are" }
        if value["kty"] != nil { return "this is one JWK; put it into {\"keys\":[…]}" }
        let isOfCertificates = value.members.first.map { $0.value.string?.hasPrefix("-----BEGIN") == true } ?? false
        return isOfCertificates
            ? "these are X.509 certificates; the provider has the same keys at another address as a JWK Set"
            : "a JWK Set looks like {\"keys\":[…]}"
    }

    /// Reads a JWK Set that stands inside another document.
    package init(_ value: JSONValue) throws(KeySetError) { try self.init(value, reusing: nil) }

    private init(_ value: JSONValue, reusing previous: KeySet?) throws(KeySetError) {
        guard value.kind == .object else { throw KeySetError("The key set is not a JSON object.") }
        guard let members = value["keys"]?.elements(upTo: Self.maximumMembers) else {
            throw KeySetError("The key set has no array \"keys\": \(Self.hint(value)).")
        }
        var builder = KeySetBuilder(known: KnownKey.all(of: previous))
        for (position, member) in members.first.enumerated() { builder.add(member, at: position) }
        builder.withdrawLeaked()
        self.init(
            keys: builder.usable.map(\.key),
            skipped: builder.skipped.sorted { $0.position < $1.position },
            unreadCount: members.others
        )
    }
}
