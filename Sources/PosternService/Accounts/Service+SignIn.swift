internal import PosternAccounts
internal import PosternBase
internal import PosternHTTP
internal import PosternPasswords
internal import PosternTokens

// What opens sessions and lets them go on, with what is counted of it.

extension Service {
    func signIn(
        _ email: EmailAddress,
        _ password: Password,
        _ visitor: Visitor,
        with accounts: Accounts
    ) async -> AccountAnswer {
        do throws(AccountError) {
            let grant = try await accounts.signIn(email: email, password: password, visitor: visitor)
            return opened(grant)
        } catch {
            let problem = Problem(error)
            if case .refused = error { metrics.accounts.countRefused(problem.code) }
            return AccountAnswer(.problem(problem))
        }
    }

    func refresh(_ token: Secret<String>, _ visitor: Visitor, with accounts: Accounts) async -> AccountAnswer {
        do throws(AccountError) {
            let grant = try await accounts.refresh(token.revealed, visitor: visitor)
            metrics.accounts.countRefreshed()
            let reply = AccountJSON.reply(grant, isNew: nil, status: 200, now: time.now())
            return AccountAnswer(.reply(reply))
        } catch {
            let problem = Problem(error)
            metrics.accounts.countNotRefreshed(problem.code)
            return AccountAnswer(.problem(problem))
        }
    }

    private func opened(_ grant: Grant) -> AccountAnswer {
        metrics.accounts.countOpened(grant.session.method)
        let reply = AccountJSON.reply(grant, isNew: grant.isNewAccount, status: 201, now: time.now())
        return AccountAnswer(.reply(reply))
    }

    // MARK: - Identity tokens

    func exchange(_ order: ExchangeOrder, with accounts: Accounts) async -> AccountAnswer {
        let choice: Choice
        do throws(Problem) {
            choice = try choose(order.token)
        } catch {
            return AccountAnswer(.problem(error))
        }
        do throws(AccountError) {
            let grant = try await accounts.exchange(
                order.token.token.string ?? "",
                nonce: order.nonce,
                audience: order.token.audience,
                linkTo: order.linkTo?.revealed,
                verifier: choice.verifier,
                visitor: order.visitor
            )
            var answer = opened(grant)
            answer.verdicts = note(ProviderTally.acceptedPlace, choice)
            return answer
        } catch {
            return failed(error, order.token.token, choice)
        }
    }

    private func failed(_ error: AccountError, _ token: JSONValue, _ choice: Choice) -> AccountAnswer {
        switch error {
        case .tokenRefused(let refusal):
            metrics.accounts.countTokenRefused()
            let note = note(ProviderTally.place(ofRefusal: refusal.code), choice)
            return AccountAnswer(.refused(told(refusal, of: token, choice)), note)
        case .fault(.verification(let fault)):
            return AccountAnswer(.problem(Problem(fault)), note(ProviderTally.place(ofFault: fault.code), choice))
        case .refused(let refusal):
            let problem = Problem(refusal)
            metrics.accounts.countRefused(problem.code)
            return AccountAnswer(.problem(problem), note(ProviderTally.acceptedPlace, choice))
        // Whatever it was worth, nothing came of the token.
        case .fault(let fault): return AccountAnswer(.problem(Problem(fault)))
        }
    }

    /// Counts what came of a token, without the time: the store's is in it.
    private func note(_ outcome: Int, _ choice: Choice) -> VerdictNote {
        tally(of: choice).count(outcome: outcome)
        var note = VerdictNote()
        note.add(outcome, provider: choice.provider)
        return note
    }
}
