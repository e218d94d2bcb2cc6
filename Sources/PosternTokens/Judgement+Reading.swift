internal import PosternBase
internal import PosternJOSE

extension VerifierRules {
    var readerRules: JWSRules {
        var rules = JWSRules.all
        if contains(.size) { rules.remove(.size) }
        if contains(.segments) { rules.remove(.segments) }
        if contains(.header) { rules.remove(.header) }
        return rules
    }

    var choiceRules: KeyChoiceRules {
        var rules = KeyChoiceRules.all
        if contains(.keyID) { rules.remove(.keyID) }
        if contains(.keyAmbiguity) { rules.remove(.ambiguity) }
        return rules
    }
}

extension Judgement {
    /// The refusal for bytes that are no JWS.
    mutating func refuse(_ fault: JWSFault, size: Int) -> Stop {
        let limit = Int64(TokenVerifier.maximumTokenSize)
        let code = RefusalCode(fault)
        guard fault.stage != .size else {
            return refuse(.size, code, fault.message, expected: .number(limit), seen: .number(Int64(size)))
        }
        pass(.size, expected: .number(limit), seen: .number(Int64(size)))
        guard fault.stage != .form else { return refuse(.form, code, fault.message) }
        pass(.form)
        return refuse(.header, code, fault.message)
    }
}
