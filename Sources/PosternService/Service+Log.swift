internal import PosternBase
internal import PosternTokens

extension Service {
    /// Tells of a request what belongs to nobody: no path, no query, nothing of the token but why it was refused.
    func tell(_ log: RequestLog, _ status: Int, _ tally: RequestTally, _ requestID: RequestID, _ nanoseconds: UInt64) {
        log.write(at: time.now()) { members(status, tally, requestID, nanoseconds) }
    }

    private func members(
        _ status: Int,
        _ tally: RequestTally,
        _ requestID: RequestID,
        _ nanoseconds: UInt64
    ) -> RequestLog.Members {
        var members: RequestLog.Members = [
            ("request_id", .text(requestID.text, from: .documented)), ("listener", .number(tally.listener)),
            ("method", .text(RequestLabels.methods[tally.method], from: .ownWords)),
            ("route", .text(RequestLabels.routes[tally.route], from: .ownWords)), ("status", .number(status)),
            ("microseconds", .number(nanoseconds / 1000)),
        ]
        switch tally.caller {
        case .key(let place) where keys.entries.indices.contains(place):
            members.append(("api_key", .text(keys.entries[place].name, from: .settings)))
        case .user(let user): members.append(("user", .number(user)))
        case .key, .others, nil: break
        }
        if let problem = tally.problem { members.append(("code", .word(problem))) }
        return members + about(tally.verdicts, isCodeTold: tally.problem != nil)
    }

    private func about(_ verdicts: VerdictNote, isCodeTold: Bool) -> RequestLog.Members {
        var members: RequestLog.Members = []
        let count = verdicts.accepted + verdicts.refused + verdicts.faults
        guard count > 0 else { return members }
        if count == 1 {
            let code = ProviderTally.outcomes[verdicts.outcome].code
            if !code.isEmpty, !isCodeTold { members.append(("code", .text(code, from: .ownWords))) }
            if let place = verdicts.provider {
                members.append(("provider", .text(providers[place].name, from: .settings)))
            }
        }
        return members + [
            ("accepted", .number(verdicts.accepted)), ("refused", .number(verdicts.refused)),
            ("faults", .number(verdicts.faults)),
        ]
    }
}
