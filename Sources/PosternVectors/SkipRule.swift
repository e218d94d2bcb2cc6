/// Why cases of outside files are not run; each rule is one that `Docs/Vectors.md` lists.
package enum SkipRule: String, Sendable, CaseIterable {
    case symmetric
    case encryption
    case jsonSerialization = "json_serialization"
    case detached
    case unencoded
    case curve
    case hash
    case maskFunction = "mask_function"
    case partialOctets = "partial_octets"

    package var meaning: String {
        switch self {
        case .symmetric: "needs a symmetric key, which Postern never takes from a key set"
        case .encryption: "is about encryption (JWE), which Postern does not do"
        case .jsonSerialization: "is in JSON serialization; Postern reads the compact one"
        case .detached: "has a detached payload, which no identity token has"
        case .unencoded: "has an unencoded payload (b64), which Postern refuses"
        case .curve: "uses a curve other than P-256, P-384, P-521 and Ed25519"
        case .hash: "uses a hash other than SHA-256, SHA-384 and SHA-512"
        case .maskFunction: "uses a mask generation function other than MGF1"
        case .partialOctets: "hashes a number of bits that is no whole number of bytes"
        }
    }
}
