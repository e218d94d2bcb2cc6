internal import PosternBase
internal import PosternJOSE
internal import PosternTokens

/// What a case about a token expects; an acceptance names only the values that matter to the case.
struct OwnTokenExpectation {
    private enum Verdict {
        case accepted([(name: String, value: JSONValue)])
        case other(OwnFinding)
    }

    private let verdict: Verdict

    init(_ value: JSONValue, isNotification: Bool, at place: String) throws(VectorFault) {
        guard let word = value["verdict"]?.string else { throw VectorFault("\(place) has no verdict.") }
        if word.isSameBytes(as: "accepted") {
            let own = isNotification ? ["events"] : ["emailVerified", "realUserStatus"]
            let names = ["subject", "issuer", "audience", "email", "privateEmail"] + own
            let fields = try Fields(value, at: place, required: ["verdict"], optional: names)
            for name in names { try Self.checkForm(fields, name) }
            verdict = .accepted(names.compactMap { name in fields.optional(name).map { (name, $0) } })
        } else {
            let fields = try Fields(value, at: place, required: ["verdict", "code"])
            verdict = .other(try Self.refusal(word, try fields.text("code"), fields))
        }
    }

    private static func checkForm(_ fields: Fields, _ name: String) throws(VectorFault) {
        guard let value = fields.optional(name) else { return }
        let fits =
            switch name {
            case "email": value.kind == .string || value.kind == .null
            case "emailVerified", "privateEmail": value.kind == .bool
            case "realUserStatus": value.integer != nil
            default: value.kind == .string
            }
        guard fits else { throw fields.misfit(name, "of the type that the format says") }
    }

    /// A code that does not exist would make a case that nothing can pass or, misspelled in both places, that means nothing.
    private static func refusal(_ word: String, _ code: String, _ fields: Fields) throws(VectorFault) -> OwnFinding {
        if word.isSameBytes(as: "refused") {
            guard RefusalCode.all.map(\.rawValue).containsBytes(of: code) else {
                throw fields.misfit("code", "a refusal code")
            }
            return .refused(code)
        }
        guard word.isSameBytes(as: "fault") else { throw fields.misfit("verdict", "accepted, refused or fault") }
        guard VerificationFault.Code.all.contains(where: { code.isSameBytes(as: $0.rawValue) }) else {
            throw fields.misfit("code", "the code of a fault")
        }
        return .fault(code)
    }

    func outcome(of finding: OwnFinding) -> VectorOutcome {
        switch (verdict, finding) {
        case (.accepted(let members), .accepted(let found)):
            let wrong = members.filter { !found.has($0.name, $0.value) }
            guard !wrong.isEmpty else { return .passed }
            return .failed(
                expected: wrong.map { "\($0.name) \(Excerpt.plain($0.value.text))" }.joined(separator: ", "),
                got: wrong.map { "\($0.name) \(found.text($0.name))" }.joined(separator: ", ")
            )
        case (.accepted, _):
            return .failed(expected: "accepted", got: finding.description)
        case (.other(let expected), _):
            return expected.description.isSameBytes(as: finding.description)
                ? .passed : .failed(expected: expected.description, got: finding.description)
        }
    }
}

extension OwnFinding.Accepted {
    /// Whether the value called `name` is exactly `value`.
    fileprivate func has(_ name: String, _ value: JSONValue) -> Bool {
        switch name {
        case "subject": subject.map { value.stringBytes == $0 } ?? false
        case "issuer": value.stringEquals(issuer)
        case "audience": value.stringEquals(audience)
        case "email": email.map { value.stringEquals($0) } ?? (value.kind == .null)
        case "emailVerified": isEmailVerified == value.bool
        case "privateEmail": isPrivateEmail == value.bool
        case "realUserStatus": realUserStatus == value.integer
        case "events": event.map { value.stringEquals($0) } ?? false
        default: false
        }
    }

    fileprivate func text(_ name: String) -> String {
        switch name {
        case "subject": subject.map { Excerpt.quote(String(decoding: $0, as: UTF8.self)) } ?? "none"
        case "issuer": Excerpt.quote(issuer)
        case "audience": Excerpt.quote(audience)
        case "email": email.map(Excerpt.quote) ?? "null"
        case "emailVerified": isEmailVerified.map(String.init) ?? "none"
        case "privateEmail": isPrivateEmail.map(String.init) ?? "none"
        case "realUserStatus": realUserStatus.map { String($0) } ?? "none"
        case "events": event.map(Excerpt.quote) ?? "none"
        default: "unknown"
        }
    }
}

/// What a case about a key set alone expects.
enum OwnKeySetExpectation {
    static func finding(_ value: JSONValue, at place: String) throws(VectorFault) -> OwnFinding {
        if value["malformed"] != nil {
            let fields = try Fields(value, at: place, required: ["malformed"])
            guard try fields.flag("malformed") else { throw fields.misfit("malformed", "true") }
            return .malformedKeySet
        }
        let fields = try Fields(value, at: place, required: ["usable", "skipped"])
        guard let usable = Int(exactly: try fields.integer("usable")), usable >= 0 else {
            throw fields.misfit("usable", "a number of keys")
        }
        let list = try fields.value("skipped")
        guard list.kind == .object else { throw fields.misfit("skipped", "an object of reasons and counts") }
        var skipped: [String: Int] = [:]
        for (name, value) in list.members {
            guard let reason = SkippedMember.Reason.all.first(where: { $0.rawValue.isSameBytes(as: name) }),
                let count = value.integer.flatMap({ Int(exactly: $0) }), count > 0
            else { throw fields.misfit("skipped", "an object of known reasons and counts") }
            skipped[reason.rawValue] = count
        }
        return .keySet(usable: usable, skipped: skipped)
    }
}
