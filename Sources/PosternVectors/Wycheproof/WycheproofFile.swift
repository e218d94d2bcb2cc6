internal import PosternBase

/// A file of Wycheproof's `testvectors_v1`.
struct WycheproofFile {
    private(set) var cases: [VectorCase] = []

    /// The kinds of test groups that are read, and the schema that each kind of file names.
    enum Kind: String, CaseIterable {
        case jsonWebSignature = "JsonWebSignature"
        case jsonWebKey = "JsonWebKey"
        case jsonWebCrypto = "JsonWebCrypto"
        case rsaPKCS1 = "RsassaPkcs1Verify"
        case rsaPSS = "RsassaPssVerify"
        case rsaPSSWithParameters = "RsassaPssWithParametersVerify"
        case ecdsa = "EcdsaP1363Verify"
        case edDSA = "EddsaVerify"

        var schema: String {
            switch self {
            case .jsonWebSignature: "json_web_signature_schema_v1.json"
            case .jsonWebKey: "json_web_key_schema_v1.json"
            case .jsonWebCrypto: "json_web_crypto_schema_v1.json"
            case .rsaPKCS1: "rsassa_pkcs1_verify_schema_v1.json"
            case .rsaPSS: "rsassa_pss_verify_schema_v1.json"
            case .rsaPSSWithParameters: "rsassa_pss_with_parameters_verify_schema.json"
            case .ecdsa: "ecdsa_p1363_verify_schema_v1.json"
            case .edDSA: "eddsa_verify_schema_v1.json"
            }
        }

        var isJOSE: Bool { [.jsonWebSignature, .jsonWebKey, .jsonWebCrypto].contains(self) }
    }

    init(_ root: JSONValue) throws(VectorFault) {
        let top = try Fields(
            root,
            at: "The file",
            required: ["header", "notes", "numberOfTests", "schema", "testGroups"],
            optional: ["algorithm", "generatorVersion"]
        )
        let schema = try top.text("schema")
        guard let kind = Kind.allCases.first(where: { schema.isSameBytes(as: $0.schema) }) else {
            throw VectorFault("Unknown format: nothing here reads the Wycheproof schema \(Excerpt.quote(schema)).")
        }
        var numbers: Set<Int64> = []
        for (position, group) in try top.list("testGroups").enumerated() {
            let place = "Test group \(position + 1)"
            let tests =
                kind.isJOSE
                ? try WycheproofJOSE.tests(of: group, kind, at: place)
                : try WycheproofSignatures.tests(of: group, kind, at: place)
            for test in tests {
                guard numbers.insert(test.number).inserted else {
                    throw VectorFault("The tcId \(test.number) is given twice.")
                }
                cases.append(test.vectorCase(kind))
            }
        }
        let announced = try top.integer("numberOfTests")
        guard announced == Int64(cases.count) else {
            throw VectorFault("numberOfTests is \(announced), but the file holds \(cases.count) tests.")
        }
    }
}

/// One test of Wycheproof, whatever its kind.
struct WycheproofTest {
    enum Wanted: String { case valid, invalid, acceptable }

    /// What came out of running it.
    enum Finding {
        case accepted
        case refused(String)
        case broken(String)
        case skipped(SkipRule)
    }

    let number: Int64
    let comment: String
    let wanted: Wanted
    /// Why Postern refuses it though it is valid, when that follows from what the file itself says.
    let policy: String?
    let find: () -> Finding

    init(
        _ fields: Fields,
        policy: String? = nil,
        find: @escaping () -> Finding
    ) throws(VectorFault) {
        number = try fields.integer("tcId")
        comment = try fields.text("comment")
        _ = try fields.texts("flags")
        let result = try fields.text("result")
        let known: [Wanted] = [.valid, .invalid, .acceptable]
        guard let wanted = known.first(where: { result.isSameBytes(as: $0.rawValue) }) else {
            throw fields.misfit("result", "valid, invalid or acceptable")
        }
        self.wanted = wanted
        self.policy = policy
        self.find = find
    }

    func vectorCase(_ kind: WycheproofFile.Kind) -> VectorCase {
        let id = comment.isEmpty ? "\(number)" : "\(number) \(comment)"
        return VectorCase(id: id) { outcome(kind) }
    }

    private func outcome(_ kind: WycheproofFile.Kind) -> VectorOutcome {
        let listed = WycheproofDeviation.listed(kind, number, comment)
        switch (find(), wanted) {
        case (.skipped(let rule), _):
            return .skipped(rule)
        case (.broken(let reason), _):
            return .failed(expected: wanted.rawValue, got: "no answer: \(reason)")
        case (.accepted, .valid), (.refused, .invalid):
            guard listed == nil else { return .failed(expected: "the deviation that is listed", got: "as in the file") }
            return .passed
        case (.accepted, _):
            return .failed(expected: wanted == .invalid ? "refused" : "refused, being only acceptable", got: "accepted")
        case (.refused, .acceptable):
            return .deviation("the file leaves it open; Postern refuses what is not quite right")
        case (.refused(let code), .valid):
            if let listed, listed.code.isSameBytes(as: code) { return .deviation(listed.reason) }
            if let policy { return .deviation(policy) }
            return .failed(expected: "accepted", got: "refused \(code)")
        }
    }
}
