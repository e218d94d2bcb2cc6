internal import PosternBase
internal import PosternJOSE
internal import PosternTokens

/// The provider that the options describe.
struct ProviderChoice {
    enum Name: String, CaseIterable { case apple, google, microsoft, facebook, firebase, oidc }

    private let name: Name
    private let issuer: String?
    private let tenant: String?
    private let audiences: [Audience]
    private let presenters: [String]
    private let algorithms: [Algorithm]
    private let leeway: Int64
    /// nil when nothing was said; nil inside when none is wanted.
    private let maximumAge: Int64??

    /// `name` and `defaultTenant` count when the options do not say.
    init(
        _ arguments: Arguments,
        audiences: [Audience],
        unlessSaid name: Name = .apple,
        tenantUnlessSaid defaultTenant: String? = nil
    ) throws(CommandFailure) {
        self.name = try Self.name(arguments) ?? name
        issuer = try arguments.text(of: .issuer)
        let tenant = try arguments.text(of: .tenant)
        self.tenant = self.name == .microsoft ? tenant ?? defaultTenant : tenant
        self.audiences = audiences
        presenters = try arguments.texts(of: .presenter)
        algorithms = try Self.algorithms(arguments)
        leeway = try arguments.seconds(of: .leeway) ?? Provider.defaultLeeway
        maximumAge = try Self.maximumAge(arguments)
        try checkFit()
    }

    /// What settings say, checked for its fit already.
    init(
        _ name: Name,
        issuer: String?,
        tenant: String?,
        audiences: [Audience],
        presenters: [String],
        algorithms: [Algorithm],
        leeway: Int64,
        maximumAge: Int64??
    ) {
        self.name = name
        self.issuer = issuer
        self.tenant = tenant
        self.audiences = audiences
        self.presenters = presenters
        self.algorithms = algorithms
        self.leeway = leeway
        self.maximumAge = maximumAge
    }

    private static func name(_ arguments: Arguments) throws(CommandFailure) -> Name? {
        guard let text = try arguments.text(of: .provider) else { return nil }
        guard let name = Name.allCases.first(where: { $0.rawValue.isSameBytes(as: text) }) else {
            let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--provider takes one of \(names), not \(Excerpt.word(text))")
        }
        return name
    }

    static func algorithms(_ arguments: Arguments) throws(CommandFailure) -> [Algorithm] {
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
            return try configured()
        } catch {
            throw .usage(error.message)
        }
    }

    func configured() throws(ConfigurationError) -> Provider {
        guard let maximumAge else { return try named() }
        return try named().replacing(maximumAge: maximumAge)
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
