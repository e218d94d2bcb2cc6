internal import PosternBase
internal import PosternCrypto
internal import PosternHTTP
internal import PosternJOSE

/// What tests tell the issuer while it runs.
extension IssuerService {
    func showState(_ url: String) throws(IssuerProblem) -> HTTP.Response {
        let (keys, seconds) = state.withLock { ($0.keys, $0.slowSeconds) }
        return .json(
            .object([
                ("issuer", .string(url)), ("faults", .strings(faults.map(\.rawValue))),
                ("slow_seconds", .integer(seconds)),
                ("algorithm", .string(keys.current.algorithm.name)), ("key_ids", .strings(keys.names)),
                ("clients", .strings(clients.map(\.id))), ("users", .strings(users.map(\.id))),
            ])
        )
    }

    /// Those that are named are on from now on, and no others.
    func setFaults(_ request: ReceivedRequest, _ url: String) throws(IssuerProblem) -> HTTP.Response {
        let reader = try object(request, known: ["faults", "slow_seconds"])
        try reader.finish()
        guard let names = try reader.texts("faults") else { throw reader.missing("faults") }
        let seconds = try reader.number("slow_seconds", in: IssuerSettings.slowRange)
        var faults: Set<IssuerFault> = []
        for name in names {
            guard let fault = IssuerFault(named: name) else {
                throw IssuerProblem(
                    .memberInvalid, "faults may have \(IssuerFault.names), not \(Excerpt.word(name)).")
            }
            faults.insert(fault)
        }
        let new = faults
        state.withLock { state in
            state.faults = new
            if let seconds { state.slowSeconds = seconds }
        }
        return try showState(url)
    }

    /// A new key signs from now on.
    func rotate(_ request: ReceivedRequest, _ url: String) throws(IssuerProblem) -> HTTP.Response {
        let reader = try object(request, known: ["keep_former"])
        try reader.finish()
        let isKept = try reader.flag("keep_former") ?? true
        let key: MintingKey
        do throws(CryptoError) {
            key = try MintingKey.generate(state.withLock { $0.keys.current.algorithm })
        } catch {
            throw Self.failure(error)
        }
        state.withLock { $0.keys.rotate(to: key, keepingFormer: isKept) }
        return try showState(url)
    }
}
