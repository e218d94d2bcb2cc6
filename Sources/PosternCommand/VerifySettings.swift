internal import PosternBase
internal import PosternTokens

/// What the options of `postern verify` ask for; every contradiction among them is found here, before anything is read.
struct VerifySettings {
    let provider: Provider
    /// The nonce of the request; nil when it was left out on purpose.
    let nonce: String?
    let code: String?
    let accessToken: String?
    let isNotification: Bool
    let time: TimeSource
    let keys: KeyPlace
    let token: [UInt8]?

    init(_ arguments: Arguments) throws(CommandFailure) {
        try Self.checkPresence(arguments)
        isNotification = arguments.isGiven(.notification)
        let nonce = try NonceChoice(arguments)
        self.nonce = nonce.value
        code = try arguments.text(of: .code)
        accessToken = try arguments.text(of: .accessToken)
        let audiences = try arguments.texts(of: .audience).map { Audience($0, nonce: nonce.rule) }
        let provider = try ProviderChoice(arguments, audiences: audiences).provider()
        (self.provider, keys) = try KeyPlace.read(arguments, of: provider)
        time = try Self.time(arguments)
        token = arguments.operands.first
        try checkNotification(arguments)
        let readsStandardInput = token?.elementsEqual("-".utf8) ?? true
        if case .file(let path) = keys, readsStandardInput, InputFile.isStandardInput(path) {
            throw .usage("the keys and the token cannot both come from standard input")
        }
    }

    /// Tells everything that is missing at once.
    private static func checkPresence(_ arguments: Arguments) throws(CommandFailure) {
        let nonces = [Option.nonceHashed, .noncePlain, .noNonce, .notification]
        var missing: [String] = []
        if !arguments.isGiven(.audience) {
            missing.append("--audience is missing: name the client ID that the token must be for")
        }
        if !nonces.contains(where: arguments.isGiven) {
            missing.append("--nonce, --nonce-plain or --no-nonce is missing: say how the nonce is to be checked")
        }
        guard missing.isEmpty else { throw .usage(missing.joined(separator: "; ")) }
    }

    /// A promise that would not be kept is refused.
    private func checkNotification(_ arguments: Arguments) throws(CommandFailure) {
        guard isNotification else { return }
        guard provider.sendsNotifications else {
            throw .usage("--notification is only for --provider apple: \(provider.name) sends no notifications")
        }
        for option in [Option.code, .accessToken] where arguments.isGiven(option) {
            throw .usage("--\(option.name) has no meaning with --notification")
        }
        guard !arguments.isGiven(.maximumAge) || provider.maximumAge == nil else {
            throw .usage("--max-age has no meaning with --notification: Apple repeats notifications for days")
        }
    }

    private static func time(_ arguments: Arguments) throws(CommandFailure) -> TimeSource {
        try Timestamp.option(arguments).map { .fixed($0) } ?? .system
    }
}

/// Exactly one way to treat the nonce.
private struct NonceChoice {
    let rule: NonceRule
    let value: String?

    init(_ arguments: Arguments) throws(CommandFailure) {
        let options: [(Option, NonceRule)] = [(.nonceHashed, .hashed), (.noncePlain, .plain), (.noNonce, .unchecked)]
        let given = options.filter { arguments.isGiven($0.0) }
        if arguments.isGiven(.notification) {
            guard given.isEmpty else { throw .usage("a notification has no nonce: leave --\(given[0].0.name) out") }
            rule = .unchecked
            value = nil
            return
        }
        guard let (option, rule) = given.first, given.count == 1 else {
            throw .usage("\(given.map { "--\($0.0.name)" }.joined(separator: " and ")) exclude each other")
        }
        self.rule = rule
        value = option.value == nil ? nil : try arguments.text(of: option)
        guard value?.isEmpty != true else { throw .usage("--\(option.name) is empty: is a variable unset?") }
    }
}
