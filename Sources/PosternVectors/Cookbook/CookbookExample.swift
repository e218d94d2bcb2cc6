internal import PosternBase
internal import PosternJOSE

/// An example of the JOSE cookbook (RFC 7520 §4 and its additions for RFC 7797 and RFC 8037): one input, and the same
/// signature in up to three serializations, each of which is a case.
struct CookbookExample {
    let cases: [VectorCase]

    private static let encryptionParts = ["generated", "encrypting_key", "encrypting_content"]
    private static let publicMembers = ["kty", "kid", "use", "key_ops", "alg", "crv", "x", "y", "n", "e"]

    init(_ root: JSONValue) throws(VectorFault) {
        let top = try Fields(
            root,
            at: "The example",
            required: ["title", "input", "output"],
            optional: ["reproducible", "signing"] + Self.encryptionParts
        )
        if try top.value("input")["plaintext"] != nil || Self.encryptionParts.contains(where: top.has) {
            cases = [VectorCase(id: "example") { .skipped(.encryption) }]
            return
        }
        let input = try Fields(try top.value("input"), at: "The input", required: ["payload", "key", "alg"])
        let output = try Fields(
            try top.value("output"),
            at: "The output",
            required: [],
            optional: ["compact", "json", "json_flat"]
        )
        var cases: [VectorCase] = []
        if let compact = try output.optionalText("compact") {
            cases.append(try Self.compactCase(compact, input, try Self.protectedHeaders(try top.value("signing"))))
        }
        for form in ["json", "json_flat"] where output.has(form) {
            cases.append(VectorCase(id: form) { .skipped(.jsonSerialization) })
        }
        self.cases = cases
    }

    private static func protectedHeaders(_ signing: JSONValue) throws(VectorFault) -> [JSONValue] {
        var headers: [JSONValue] = []
        for part in signing.elements ?? [signing] {
            let fields = try Fields(
                part,
                at: "The signing",
                required: ["sig-input", "sig"],
                optional: ["protected", "protected_b64u", "unprotected"]
            )
            if let header = fields.optional("protected") { headers.append(header) }
        }
        return headers
    }

    private static func compactCase(
        _ compact: String,
        _ input: Fields,
        _ headers: [JSONValue]
    ) throws(VectorFault) -> VectorCase {
        let payload = Array(try input.text("payload").utf8)
        let algorithm = try input.text("alg")
        let key = try input.value("key")
        let rule: SkipRule? =
            if headers.contains(where: { $0["b64"] != nil }) {
                .unencoded
            } else if compact.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).map(\.count).dropFirst()
                .first == 0
            {
                .detached
            } else if key["kty"]?.stringEquals("oct") == true {
                .symmetric
            } else {
                nil
            }
        if let rule { return VectorCase(id: "compact") { .skipped(rule) } }
        let keys = try publicPart(of: key)
        return VectorCase(id: "compact") {
            let finding = CompactJWS.verify(compact, with: keys)
            guard case .accepted(let found, let used) = finding else {
                return .failed(expected: "accepted", got: finding.description)
            }
            guard used.name.isSameBytes(as: algorithm) else {
                return .failed(expected: Excerpt.plain(algorithm), got: used.name)
            }
            return found == payload ? .passed : .failed(expected: "the payload of the input", got: "another payload")
        }
    }

    /// The examples give the private key; what a verifier would have of it is built from the members that are public.
    private static func publicPart(of key: JSONValue) throws(VectorFault) -> KeySet {
        let members = key.members.filter { publicMembers.containsBytes(of: $0.name) }
        let jwk = JSONOutput.object(members.map { ($0.name, .value($0.value)) })
        do throws(KeySetError) {
            return try KeySet(Array(JSONOutput.object([("keys", .array([jwk]))]).text().utf8))
        } catch {
            throw VectorFault(error.message)
        }
    }
}
