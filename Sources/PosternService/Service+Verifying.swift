internal import PosternBase
internal import PosternTokens

extension Service {
    /// So many tokens are verified before others on the same thread have their turn: some 150 µs of work with RSA.
    static let tokensInARow = 4

    /// The verdict while the key is at hand; nil when there is something to wait for, and nothing has happened then.
    func verifyAtOnce(_ order: VerifyOrder, _ tally: inout RequestTally) throws(Problem) -> Reply? {
        let choice = try choose(order)
        var outcome = ProviderTally.acceptedPlace
        var started = tally.started
        guard !order.isExplained, let finding = findAtOnce(order, choice, &outcome, since: &started) else { return nil }
        tally.verdicts.add(outcome, provider: choice.provider)
        return try Self.reply(finding)
    }

    /// The verdict, or the problem that takes its place, and what is told of it.
    func verify(
        _ order: VerifyOrder,
        since started: UInt64
    ) async throws(Problem) -> (Result<Reply, Problem>, VerdictNote) {
        let choice = try choose(order)
        let finding = await find(order, choice, since: started)
        var note = VerdictNote()
        note.add(finding.outcome, provider: choice.provider)
        do throws(Problem) {
            return (.success(try Self.reply(finding)), note)
        } catch {
            return (.failure(error), note)
        }
    }

    private static func reply(_ finding: Finding) throws(Problem) -> Reply {
        if case .fault(let fault) = finding { throw Problem(fault) }
        var writer = JSONWriter(capacity: 992)
        finding.write(to: &writer)
        return Reply(body: writer.finish())
    }

    /// The verdicts in the order of the tokens. A fault takes the place of its verdict: the others stand.
    func verify(_ orders: [VerifyOrder]) async throws(Problem) -> (Reply, VerdictNote) {
        for order in orders { _ = try candidates(order) }
        // Each is written as soon as it is found: what was read of its token is let go of while it is still at hand.
        var writer = JSONWriter(capacity: 1024 * orders.count)
        writer.beginObject()
        writer.name("verdicts")
        writer.beginArray()
        var note = VerdictNote()
        var started = Stopwatch.now()
        for (place, order) in orders.enumerated() {
            // Before the first too: to read a long list has taken its time.
            if orders.count > Self.tokensInARow, place.isMultiple(of: Self.tokensInARow) {
                await Task.yield()
                // The turn of others is not the time of a token.
                started = Stopwatch.now()
            }
            let choice = try choose(order)
            var outcome = ProviderTally.acceptedPlace
            if !order.isExplained, let finding = findAtOnce(order, choice, &outcome, since: &started) {
                finding.write(to: &writer)
                note.add(outcome, provider: choice.provider)
            } else {
                let finding = await find(order, choice, since: started)
                started = Stopwatch.now()
                finding.write(to: &writer)
                note.add(finding.outcome, provider: choice.provider)
            }
        }
        if orders.count > Self.tokensInARow { await Task.yield() }
        writer.endArray()
        writer.endObject()
        return (Reply(body: writer.finish()), note)
    }

    // MARK: - One token

    /// What was found out about a token.
    fileprivate enum Finding {
        case accepted(VerifiedIdentity, [Check]?)
        case refused(Refusal, [Check]?)
        case fault(VerificationFault)

        /// Where it is counted.
        var outcome: Int {
            switch self {
            case .accepted: ProviderTally.acceptedPlace
            case .refused(let refusal, _): ProviderTally.place(ofRefusal: refusal.code)
            case .fault(let fault): ProviderTally.place(ofFault: fault.code)
            }
        }

        func write(to writer: inout JSONWriter) {
            switch self {
            case .accepted(let identity, let checks): VerdictJSON.accepted(identity, checks, &writer)
            case .refused(let refusal, let checks): VerdictJSON.refused(refusal, checks, &writer)
            case .fault(let fault): VerdictJSON.fault(fault, &writer)
            }
        }
    }

    /// For what could not be found out at once: an explanation, or a key that has to be waited for.
    private func find(_ order: VerifyOrder, _ choice: Choice, since started: UInt64) async -> Finding {
        let finding = await findOut(order, choice)
        var started = started
        tally(of: choice).count(outcome: finding.outcome, since: &started)
        return finding
    }

    private func findOut(_ order: VerifyOrder, _ choice: Choice) async -> Finding {
        guard !order.isExplained else { return await explain(order, choice) }
        do throws(VerificationError) {
            return .accepted(try await choice.verifier.identity(order.token.string ?? "", order.request), nil)
        } catch {
            return finding(error, of: order.token, choice)
        }
    }

    /// While the key is at hand nothing waits and the token is not copied.
    ///
    /// `outcome` becomes where it is counted, so that nobody has to look into the finding for that.
    private func findAtOnce(
        _ order: VerifyOrder,
        _ choice: Choice,
        _ outcome: inout Int,
        since started: inout UInt64
    ) -> Finding? {
        var finding: Finding?
        // Apart from the finding, which would be copied to be looked at.
        var isFound = false
        order.token.withStringBytes { token in
            guard let token else { return }
            do throws(VerificationError) {
                guard let identity = try choice.verifier.identityAtOnce(token, order.request) else { return }
                finding = .accepted(identity, nil)
                isFound = true
            } catch {
                let found = self.finding(error, of: order.token, choice)
                outcome = found.outcome
                finding = found
                isFound = true
            }
        }
        if isFound { tally(of: choice).count(outcome: outcome, since: &started) }
        return finding
    }

    private func finding(_ error: VerificationError, of token: JSONValue, _ choice: Choice) -> Finding {
        switch error {
        case .refused(let refusal): .refused(told(refusal, of: token, choice), nil)
        case .fault(let fault): .fault(fault)
        }
    }

    private func explain(_ order: VerifyOrder, _ choice: Choice) async -> Finding {
        do throws(VerificationFault) {
            let verdict = try await choice.verifier.verdict(order.token.string ?? "", order.request)
            switch verdict.outcome {
            case .accepted(let identity): return .accepted(identity, verdict.checks)
            case .refused(let refusal):
                return .refused(told(refusal, of: order.token, choice), verdict.checks)
            }
        } catch {
            return .fault(error)
        }
    }

    // MARK: - Whose token

    /// Who judges a token.
    struct Choice {
        let verifier: TokenVerifier
        /// The place of the provider; nil when the token is nobody's.
        let provider: Int?
        /// The issuers of all who might have, when the token is nobody's.
        var issuers: [String]?

        /// Tells of the issuers: the one who judges knows its own alone.
        func named(_ refusal: Refusal) -> Refusal {
            guard let issuers, refusal.code == .issuerMismatch else { return refusal }
            let all = issuers.joined(separator: ", ")
            return Refusal(.issuerMismatch, "\(refusal.message) The issuers that count here: \(all).")
        }
    }

    /// The providers that may be asked: the one that is named, or all.
    ///
    /// What the caller names must be there, and it is no refusal of a token when it is not.
    private func candidates(_ order: VerifyOrder) throws(Problem) -> Range<Int> {
        var places = providers.indices
        if let name = order.provider {
            guard let place = providers.firstIndex(where: { $0.name.isSameBytes(as: name) }) else {
                throw Problem(
                    .providerUnknown,
                    "\(order.place)provider: no provider is called \(Excerpt.word(name)) in the settings.")
            }
            places = place..<(place + 1)
        }
        if let audience = order.audience, !providers[places].contains(where: { $0.has(audience) }) {
            throw Problem(
                .audienceUnknown,
                "\(order.place)audience: no audience \(Excerpt.word(audience)) is in the settings.")
        }
        return places
    }

    func tally(of choice: Choice) -> ProviderTally {
        choice.provider.map { tallies[$0] } ?? metrics.strangers
    }

    func choose(_ order: VerifyOrder) throws(Problem) -> Choice {
        let places = try candidates(order)
        guard places.count > 1 else {
            return Choice(verifier: verifiers[places.lowerBound], provider: places.lowerBound)
        }
        var place: Int?
        order.token.withStringBytes { token in
            place = token.flatMap { IssuerHint.choose(among: verifiers, audience: order.audience, for: $0) }
        }
        if let place { return Choice(verifier: verifiers[place], provider: place) }
        // Nobody's token: every verifier refuses it, for its form or its issuer.
        return Choice(
            verifier: verifiers[places.lowerBound], provider: nil, issuers: providers.flatMap(\.provider.issuerNames))
    }
}

extension ServedProvider {
    fileprivate func has(_ audience: String) -> Bool {
        provider.audiences.contains { $0.clientID.isSameBytes(as: audience) }
    }
}
