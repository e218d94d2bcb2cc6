internal import PosternBase
internal import PosternJOSE
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
    let keyFile: [UInt8]
    let token: [UInt8]?

    init(_ arguments: Arguments) throws(CommandFailure) {
        try Self.checkPresence(arguments)
        isNotification = arguments.isGiven(.notification)
        let nonce = try NonceChoice(arguments)
        self.nonce = nonce.value
        code = try arguments.text(of: .code)
        accessToken = try arguments.text(of: .accessToken)
        provider = try ProviderChoice(arguments, nonce.rule).provider()
        time = try Self.time(arguments)
        token = arguments.operands.first
        keyFile = arguments.bytes(of: .keys) ?? []
        try checkNotification(arguments)
        let readsStandardInput = token?.elementsEqual("-".utf8) ?? true
        guard !readsStandardInput || !InputFile.isStandardInput(keyFile) else {
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
        if !arguments.isGiven(.keys) {
            missing.append("--keys is missing: name the file with the issuer's JWK Set")
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
        guard let text = try arguments.text(of: .at) else { return .system }
        guard let seconds = Timestamp.parse(text) else {
            throw .usage(
                "--at takes seconds since 1970, or a time like 2026-09-21T14:13:20Z with its offset, not "
                    + Excerpt.word(text)
                    + (Timestamp.looksLikeMilliseconds(text) ? ", which seems to be milliseconds" : "")
            )
        }
        return .fixed(seconds)
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

/// The provider that the options describe.
private struct ProviderChoice {
    private enum Name: String, CaseIterable { case apple, google, microsoft, facebook, firebase, oidc }

    private let name: Name
    private let issuer: String?
    private let tenant: String?
    private let audiences: [Audience]
    private let presenters: [String]
    private let algorithms: [Algorithm]
    private let leeway: Int64
    /// nil when nothing was said; nil inside when none is wanted.
    private let maximumAge: Int64??

    init(_ arguments: Arguments, _ nonce: NonceRule) throws(CommandFailure) {
        name = try Self.name(arguments)
        issuer = try arguments.text(of: .issuer)
        tenant = try arguments.text(of: .tenant)
        audiences = try arguments.texts(of: .audience).map { Audience($0, nonce: nonce) }
        presenters = try arguments.texts(of: .presenter)
        algorithms = try Self.algorithms(arguments)
        leeway = try arguments.seconds(of: .leeway) ?? Provider.defaultLeeway
        maximumAge = try Self.maximumAge(arguments)
        try checkFit()
    }

    private static func name(_ arguments: Arguments) throws(CommandFailure) -> Name {
        guard let text = try arguments.text(of: .provider) else { return .apple }
        guard let name = Name.allCases.first(where: { $0.rawValue.isSameBytes(as: text) }) else {
            let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--provider takes one of \(names), not \(Excerpt.word(text))")
        }
        return name
    }

    private static func algorithms(_ arguments: Arguments) throws(CommandFailure) -> [Algorithm] {
        var algorithms: [Algorithm] = []
        for text in try arguments.texts(of: .algorithm) {
            guard let algorithm = Algorithm(named: text) else {
                let names = Algorithm.all.map(\.name).joined(separator: ", ")
                throw .usage("--algorithm takes one of \(names), not \(Excerpt.word(text))")
            }
            algorithms.append(algorithm)
        }
        return algorithms
    }

    private static func maximumAge(_ arguments: Arguments) throws(CommandFailure) -> Int64?? {
        guard let text = try arguments.text(of: .maximumAge) else { return .none }
        if text.isSameBytes(as: "none") { return .some(nil) }
        guard let seconds = DecimalDigits.value(of: text) else {
            throw .usage("--max-age takes a number of seconds or none, not \(Excerpt.word(text))")
        }
        return .some(seconds)
    }

    /// Whether each option that speaks of some providers only was given for one of them.
    private func checkFit() throws(CommandFailure) {
        guard issuer == nil || name == .oidc else {
            throw .usage("--issuer is only for --provider oidc: the issuer of \(name.rawValue) is pinned")
        }
        guard tenant == nil || name == .microsoft else { throw .usage("--tenant is only for --provider microsoft") }
        guard algorithms.isEmpty || name == .oidc else {
            throw .usage("--algorithm is only for --provider oidc: \(name.rawValue) signs with RS256")
        }
        guard presenters.isEmpty || name != .firebase else {
            throw .usage("--presenter is not for firebase: its tokens have no azp")
        }
        guard name != .firebase || audiences.count == 1 else {
            throw .usage("--provider firebase takes one --audience, the project ID")
        }
    }

    func provider() throws(CommandFailure) -> Provider {
        do throws(ConfigurationError) {
            guard let maximumAge else { return try named() }
            return try named().replacing(maximumAge: maximumAge)
        } catch {
            throw .usage(error.message)
        }
    }

    private func named() throws(ConfigurationError) -> Provider {
        switch name {
        case .apple: return try .apple(audiences: audiences, presenters: presenters, leeway: leeway)
        case .google: return try .google(audiences: audiences, presenters: presenters, leeway: leeway)
        case .facebook: return try .facebook(audiences: audiences, presenters: presenters, leeway: leeway)
        case .microsoft:
            guard let tenant else {
                throw ConfigurationError("--tenant is missing: --provider microsoft needs one")
            }
            return try .microsoft(
                tenant: MicrosoftTenant(tenant),
                audiences: audiences,
                presenters: presenters,
                leeway: leeway
            )
        case .firebase:
            return try .firebase(project: audiences[0].clientID, nonce: audiences[0].nonce, leeway: leeway)
        case .oidc:
            guard let issuer else { throw ConfigurationError("--issuer is missing: --provider oidc needs one") }
            return try .oidc(
                issuer: issuer,
                audiences: audiences,
                algorithms: algorithms.isEmpty ? [.rs256] : algorithms,
                presenters: presenters,
                leeway: leeway
            )
        }
    }
}
