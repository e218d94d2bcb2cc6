internal import PosternHTTP
internal import PosternTokens

/// What came of a request about accounts.
struct AccountAnswer {
    enum Result {
        case reply(Reply)
        case problem(Problem)
        /// Of an identity token, where not a verdict was asked for but a session.
        case refused(Refusal)
    }

    let result: Result
    /// About the identity token, if there was one.
    var verdicts: VerdictNote

    init(_ result: Result, _ verdicts: VerdictNote = VerdictNote()) {
        self.result = result
        self.verdicts = verdicts
    }

    /// The answer. A refused token is a problem whose code is that of the refusal; it is counted as a verdict, like anywhere else.
    func reply(_ requestID: RequestID) -> Reply {
        switch result {
        case .reply(let reply): return reply
        case .problem(let problem): return problem.reply(requestID)
        case .refused(let refusal):
            let problem = HTTPNotice.Refused(
                status: 403, title: "Forbidden", code: refusal.code.rawValue, detail: refusal.message)
            return problem.reply(requestID)
        }
    }

    var problem: ProblemCode? {
        if case .problem(let problem) = result { return problem.code }
        return nil
    }
}
