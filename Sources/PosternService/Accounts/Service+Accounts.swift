internal import PosternAccounts
internal import PosternBase
internal import PosternTokens

extension Service {
    /// Does what is asked for. What an order has changed is durable when this returns, and no fault is told of afterwards.
    func follow(_ order: AccountOrder, with accounts: Accounts, caller: String?) async -> AccountAnswer {
        switch order {
        case .exchange(let order): return await exchange(order, with: accounts)
        case .signIn(let email, let password, let visitor):
            return await signIn(email, password, visitor, with: accounts)
        case .refresh(let token, let visitor): return await refresh(token, visitor, with: accounts)
        case .mistake(let mistake): return AccountAnswer(.reply(mistake.reply))
        default: break
        }
        do throws(AccountError) {
            return AccountAnswer(.reply(try await reply(to: order, with: accounts, caller: caller)))
        } catch {
            return AccountAnswer(.problem(Problem(error)))
        }
    }

    private func reply(
        to order: AccountOrder,
        with accounts: Accounts,
        caller: String?
    ) async throws(AccountError) -> Reply {
        switch order {
        case .sessions(let id): return AccountJSON.reply(try await accounts.sessions(of: id))
        case .endSession(let id):
            try await accounts.end(session: id, caller: caller)
            return .nothing
        case .endSessions(let id, let kept):
            return AccountJSON.reply(ended: try await accounts.endSessions(of: id, except: kept, caller: caller))
        case .introspect(let token, let isRefreshToken):
            let found = try await accounts.introspect(token.revealed)
            return IntrospectionJSON(accounts.accessTokens).reply(found, isRefreshTokenWanted: isRefreshToken)
        case .revoke(let token):
            try await accounts.revoke(token.revealed, caller: caller)
            return Reply(body: Array("{}".utf8))
        default: return try await replyAboutPerson(order, accounts, caller)
        }
    }

    private func replyAboutPerson(
        _ order: AccountOrder,
        _ accounts: Accounts,
        _ caller: String?
    ) async throws(AccountError) -> Reply {
        let now = time.now()
        switch order {
        case .signUp(let order):
            let result = try await accounts.signUp(
                email: order.email, password: order.password, userData: order.userData, visitor: order.visitor)
            return AccountJSON.reply(result, now: now)
        case .confirm(let id): return AccountJSON.reply(try await accounts.confirm(id, caller: caller), now: now)
        case .accounts(let id, let limit):
            // One more tells whether there is another page.
            let people = try await accounts.people(after: id, limit: limit + 1)
            return AccountJSON.reply(people, limit: limit, now: now)
        case .accountWith(let email):
            return AccountJSON.reply(try await person(email, accounts), limit: 1, now: now)
        case .account(let id): return AccountJSON.reply(try await accounts.person(id), now: now)
        case .change(let id, let change):
            return AccountJSON.reply(try await accounts.change(id, change, caller: caller), now: now)
        case .delete(let id):
            try await accounts.delete(account: id, caller: caller)
            return .nothing
        case .changePassword(let order):
            try await accounts.changePassword(
                of: order.account, old: order.old, new: order.new, keeping: order.keptSession, visitor: order.visitor)
            return .nothing
        case .unlink(let name, let id):
            let person = try await accounts.unlink(
                identity: name, from: id, providers: providers.map(\.name), caller: caller)
            return AccountJSON.reply(person, now: now)
        case .auditTrail(let id, let number, let limit):
            let entries = try await accounts.auditTrail(of: id, before: number, limit: limit + 1)
            return AccountJSON.reply(entries, limit: limit)
        default: return .nothing
        }
    }

    /// A list of one or none: to ask for an address is to search.
    private func person(_ email: EmailAddress, _ accounts: Accounts) async throws(AccountError) -> [Person] {
        do throws(AccountError) {
            return [try await accounts.person(email: email)]
        } catch {
            guard case .refused(let refusal) = error, refusal.code == .accountUnknown else { throw error }
            return []
        }
    }
}

extension Problem {
    init(_ error: AccountError) {
        switch error {
        case .refused(let refusal): self.init(refusal)
        case .fault(let fault): self.init(fault)
        // Tokens are exchanged where their refusals have answers of their own.
        case .tokenRefused(let refusal): self.init(.memberInvalid, refusal.message)
        }
    }
}

extension Reply {
    static let nothing = Reply(status: 204, form: .empty, body: [])
}
