internal import PosternBase
internal import PosternJOSE

/// A file of the JOSE cookbook (RFC 7520 §3) that is one JWK.
///
/// It does not say what to expect; that follows from the members alone: a symmetric or private key is refused as such, any
/// other is usable.
struct CookbookKey {
    let cases: [VectorCase]

    private static let names = [
        "kid", "use", "key_ops", "alg", "crv", "x", "y", "n", "e", "d", "p", "q", "dp", "dq", "qi", "oth", "k",
    ]
    private static let curves = ["P-256", "P-384", "P-521", "Ed25519"]

    init(_ root: JSONValue) throws(VectorFault) {
        let fields = try Fields(root, at: "The key", required: ["kty"], optional: Self.names)
        let type = try fields.text("kty")
        let keys: KeySet
        do throws(KeySetError) {
            keys = try KeySet(setOrKey: root)
        } catch {
            throw VectorFault(error.message)
        }
        let isPrivate = ["d", "p", "q", "dp", "dq", "qi", "oth"].contains(where: fields.has)
        let id = try fields.optionalText("kid") ?? "key"
        if type.isSameBytes(as: "oct") {
            cases = [VectorCase(id: id) { Self.compare(keys, refusedAs: .symmetric) }]
        } else if isPrivate {
            cases = [VectorCase(id: id) { Self.compare(keys, refusedAs: .privateParts) }]
        } else if let curve = try fields.optionalText("crv"), !Self.curves.containsBytes(of: curve) {
            cases = [VectorCase(id: id) { .skipped(.curve) }]
        } else if let use = try fields.optionalText("use"), use.isSameBytes(as: "enc") {
            cases = [VectorCase(id: id) { .skipped(.encryption) }]
        } else {
            cases = [VectorCase(id: id) { Self.compare(keys, refusedAs: nil) }]
        }
    }

    private static func compare(_ keys: KeySet, refusedAs wanted: SkippedMember.Reason?) -> VectorOutcome {
        let found = keys.skipped.first?.reason
        if found == wanted, keys.usable.count == (wanted == nil ? 1 : 0) { return .passed }
        return .failed(expected: describe(wanted), got: describe(found))
    }

    private static func describe(_ reason: SkippedMember.Reason?) -> String {
        reason.map { "refused as \($0.rawValue)" } ?? "usable"
    }
}
