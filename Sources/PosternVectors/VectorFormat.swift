internal import PosternBase

/// The forms of vector files that can be read.
enum VectorFormat: Sendable {
    case own
    case wycheproof
    case cookbook
    case jwk
    case sha2

    var name: String {
        switch self {
        case .own: OwnVectorFile.format
        case .wycheproof: "Wycheproof"
        case .cookbook: "JOSE cookbook"
        case .jwk: "JOSE cookbook, one key"
        case .sha2: "SHA-2 response file"
        }
    }
}

/// A file whose format is known by what is in it, not by its name.
struct VectorFile {
    let format: VectorFormat
    private let content: Content

    private enum Content {
        case json(JSONValue)
        case bytes([UInt8])
    }

    init(_ bytes: [UInt8]) throws(VectorFault) {
        let isJSON = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x7B
        guard isJSON else {
            guard ResponseFile.isOne(bytes) else { throw Self.unknown }
            format = .sha2
            content = .bytes(bytes)
            return
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(bytes).root
        } catch {
            throw VectorFault("The file is not JSON: \(error.message).")
        }
        guard let format = Self.format(of: root) else { throw Self.unknown }
        self.format = format
        content = .json(root)
    }

    private static let unknown = VectorFault("Unknown format: Docs/Vectors.md lists those that can be read.")

    private static func format(of root: JSONValue) -> VectorFormat? {
        if root["format"]?.stringEquals(OwnVectorFile.format) == true { return .own }
        if root["format"] != nil { return nil }
        if root["testGroups"] != nil, root["schema"] != nil { return .wycheproof }
        if root["title"] != nil, root["input"] != nil, root["output"] != nil { return .cookbook }
        if root["kty"] != nil { return .jwk }
        return nil
    }

    /// All cases, in their order; a file that is not wholly understood has none.
    func cases() throws(VectorFault) -> [VectorCase] {
        switch content {
        case .json(let root):
            switch format {
            case .own: return try OwnVectorFile(root).vectorCases
            case .wycheproof: return try WycheproofFile(root).cases
            case .cookbook: return try CookbookExample(root).cases
            case .jwk: return try CookbookKey(root).cases
            case .sha2: throw Self.unknown
            }
        case .bytes(let bytes): return try ResponseFile(bytes).cases
        }
    }
}
