internal import PosternBase
internal import PosternTokens

/// The nonce of a case: the value that the request gives, and the rule of each audience.
struct OwnNonceRules {
    let value: String?
    let acceptsUnsupported: Bool
    private let rule: NonceRule
    private let rules: [(audience: String, rule: NonceRule)]

    init(_ fields: Fields, isNotification: Bool) throws(VectorFault) {
        guard !isNotification else {
            guard !fields.has("nonce"), !fields.has("audienceNonceRules") else {
                throw VectorFault("\(fields.place): a notification has no nonce.")
            }
            (value, acceptsUnsupported, rule, rules) = (nil, false, .unchecked, [])
            return
        }
        let place = "\(fields.place), nonce"
        let nonce = try Fields(
            try fields.value("nonce"),
            at: place,
            required: ["rule"],
            optional: ["value", "acceptsUnsupported"]
        )
        value = try nonce.optionalText("value")
        acceptsUnsupported = try nonce.optionalFlag("acceptsUnsupported") ?? false
        rule = try Self.rule(try nonce.value("rule"), at: place)
        rules = try Self.exceptions(fields)
    }

    private static func exceptions(_ fields: Fields) throws(VectorFault) -> [(audience: String, rule: NonceRule)] {
        guard let exceptions = fields.optional("audienceNonceRules") else { return [] }
        guard exceptions.kind == .object else { throw fields.misfit("audienceNonceRules", "an object") }
        var rules: [(audience: String, rule: NonceRule)] = []
        for (audience, value) in exceptions.members {
            rules.append((audience, try rule(value, at: "\(fields.place), audienceNonceRules")))
        }
        return rules
    }

    /// The issued rule needs nonces of this process, so no file can hold a case of it.
    private static func rule(_ value: JSONValue, at place: String) throws(VectorFault) -> NonceRule {
        let known: [NonceRule] = [.hashed, .plain, .unchecked]
        guard let rule = known.first(where: { value.stringEquals($0.name) }) else {
            throw VectorFault("\(place): the rule is none of hashed, plain and unchecked.")
        }
        return rule
    }

    func rule(of audience: String) -> NonceRule {
        rules.first { $0.audience.isSameBytes(as: audience) }?.rule ?? rule
    }

    /// The audiences with their rules.
    func audiences(_ identifiers: [String], at place: String) throws(VectorFault) -> [Audience] {
        for exception in rules where !identifiers.containsBytes(of: exception.audience) {
            throw VectorFault(
                "\(place): audienceNonceRules names \(Excerpt.quote(exception.audience)), which is no audience.")
        }
        return identifiers.map {
            Audience($0, nonce: rule(of: $0), acceptsUnsupportedNonce: acceptsUnsupported)
        }
    }
}
