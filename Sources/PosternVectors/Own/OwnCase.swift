internal import PosternBase
internal import PosternJOSE
internal import PosternTokens

/// One of our cases: a token to be judged, or a key set to be read.
struct OwnCase {
    let id: String
    private let content: Content

    private enum Content {
        case token(OwnTokenCase, OwnTokenExpectation)
        case keySet(OwnKeySet, OwnFinding)
    }

    init(_ value: JSONValue, _ keySets: OwnKeySets, at position: String) throws(VectorFault) {
        let id = value["id"]?.string
        let place = id.map { "Case \(Excerpt.quote($0))" } ?? position
        if value["keySet"] != nil {
            let fields = try Fields(
                value, at: place, required: ["id", "rule", "keySet", "expect"], optional: ["attacks"])
            let expected = try OwnKeySetExpectation.finding(try fields.value("expect"), at: "\(place), expect")
            content = .keySet(try keySets.set(try fields.text("keySet")), expected)
            self.id = try Self.commonParts(fields)
        } else {
            let fields = try Fields(
                value,
                at: place,
                required: ["id", "rule", "provider", "keys", "at", "expect"],
                optional: ["attacks"] + OwnTokenCase.optionalMembers
            )
            let token = try OwnTokenCase(fields, keySets)
            let expected = try OwnTokenExpectation(
                try fields.value("expect"),
                isNotification: token.isNotification,
                at: "\(place), expect"
            )
            content = .token(token, expected)
            self.id = try Self.commonParts(fields)
        }
    }

    /// The id, after the members that are there for people have been looked at too.
    private static func commonParts(_ fields: Fields) throws(VectorFault) -> String {
        let id = try fields.text("id")
        guard !id.isEmpty, !(try fields.text("rule")).isEmpty else {
            throw VectorFault("\(fields.place): the id or the rule is empty.")
        }
        if fields.has("attacks") {
            for element in try fields.list("attacks") where element.integer.map({ $0 > 0 }) != true {
                throw fields.misfit("attacks", "a list of class numbers")
            }
        }
        return id
    }

    func finding(disabled: [VerifierRule] = []) -> OwnFinding {
        switch content {
        case .token(let token, _): token.finding(disabled: disabled)
        case .keySet(let set, _): OwnFinding(set)
        }
    }

    func outcome() -> VectorOutcome {
        let finding = finding()
        switch content {
        case .token(_, let expected): return expected.outcome(of: finding)
        case .keySet(_, let expected):
            return finding.description.isSameBytes(as: expected.description)
                ? .passed : .failed(expected: expected.description, got: finding.description)
        }
    }
}
