internal import PosternBase
public import PosternJOSE

/// An issuer of identity tokens and everything that is demanded of its tokens.
public struct Provider: Sendable {
    /// Seconds of leeway unless said.
    public static let defaultLeeway: Int64 = 60
    /// The leeways that may be set, in seconds.
    public static let leewayRange: ClosedRange<Int64> = 0...300

    /// The word for the provider in settings and answers, such as `apple`.
    public let name: String
    /// The algorithms that tokens may be signed with.
    public let algorithms: [Algorithm]
    /// The clients of ours, at least one.
    public let audiences: [Audience]
    /// Clients that may present tokens made for an audience (`azp`), besides the audiences themselves.
    public let presenters: [String]
    /// Seconds that clocks may differ, from 0 to 300.
    public let leeway: Int64
    /// Greatest age in seconds since `iat`; nil for none.
    public let maximumAge: Int64?
    /// Where the JWK Set of the provider is; nil when the issuer's discovery document says it.
    public let keySetURL: String?
    /// Whether there are server notifications of this provider.
    package var sendsNotifications: Bool { traits.sendsNotifications }
    let issuers: IssuerRule
    let traits: Traits

    /// Over which addresses the provider's word is that of the mailbox.
    enum EmailAuthority: Sendable {
        /// It has seen the address once, and the mailbox may have changed hands since.
        case none
        /// Over all that it says are verified.
        case all
        /// Over `gmail.com` and the domains that it hosts (`hd`): Google's "Verify the Google ID token on your server side".
        case google
    }

    /// What is particular to one provider.
    struct Traits: Sendable {
        var keyIDRequired = true
        var subjectMaximumByteCount = 255
        var authenticationTimeRequired = false
        var emailCanBeVerified = true
        var emailAuthority = EmailAuthority.none
        var sendsNotifications = false
        var hasNonces = true
        var isGeneric = false
    }

    init(
        name: String,
        issuers: IssuerRule,
        algorithms: [Algorithm] = [.rs256],
        audiences: [Audience],
        presenters: [String],
        leeway: Int64,
        maximumAge: Int64?,
        keySetURL: String?,
        traits: Traits = Traits()
    ) throws(ConfigurationError) {
        self.name = name
        self.issuers = issuers
        self.algorithms = algorithms
        self.audiences = audiences
        self.presenters = presenters
        self.leeway = leeway
        self.maximumAge = maximumAge
        self.keySetURL = keySetURL
        self.traits = traits
        try checkClients()
        try checkLimits()
        try issuers.check()
    }

    private func checkClients() throws(ConfigurationError) {
        guard !audiences.isEmpty else {
            throw ConfigurationError("Provider \(name) has no audience: name the client IDs whose tokens are yours.")
        }
        for (index, audience) in audiences.enumerated() {
            guard !audience.clientID.isEmpty else { throw ConfigurationError("An audience of \(name) is empty.") }
            if audiences[..<index].contains(where: { $0.clientID.isSameBytes(as: audience.clientID) }) {
                throw ConfigurationError("The audience \(Excerpt.quote(audience.clientID)) of \(name) is given twice.")
            }
        }
        guard !presenters.contains(where: \.isEmpty) else {
            throw ConfigurationError("A presenter of \(name) is empty.")
        }
    }

    private func checkLimits() throws(ConfigurationError) {
        guard Self.leewayRange.contains(leeway) else {
            throw ConfigurationError("The leeway of \(name) is \(leeway) s; it must be from 0 to 300 s.")
        }
        if let maximumAge, !(1...86_400 * 366).contains(maximumAge) {
            throw ConfigurationError("The greatest age of \(name) is \(maximumAge) s; it must be from 1 s to a year.")
        }
        guard !algorithms.isEmpty else { throw ConfigurationError("Provider \(name) allows no algorithm.") }
    }

    /// The accepted issuers, for showing.
    package var issuerNames: [String] { issuers.description }

    /// The issuer whose discovery document names the key set; nil when the key set is pinned.
    package var discoveryIssuer: String? {
        guard keySetURL == nil, case .exactly(let issuers) = issuers else { return nil }
        return issuers.first
    }

    /// The same provider with another greatest age than its own.
    package func replacing(maximumAge: Int64?) throws(ConfigurationError) -> Provider {
        try replacing(name: name, maximumAge: maximumAge, keySetURL: keySetURL)
    }

    /// The same provider under a name of the settings' choice.
    package func replacing(name: String) throws(ConfigurationError) -> Provider {
        try replacing(name: name, maximumAge: maximumAge, keySetURL: keySetURL)
    }

    /// The same provider with its keys elsewhere. For tools: whoever names the place decides whose tokens are accepted.
    package func replacing(keySetURL: String) throws(ConfigurationError) -> Provider {
        try replacing(name: name, maximumAge: maximumAge, keySetURL: keySetURL)
    }

    private func replacing(name: String, maximumAge: Int64?, keySetURL: String?) throws(ConfigurationError) -> Provider
    {
        try Provider(
            name: name,
            issuers: issuers,
            algorithms: algorithms,
            audiences: audiences,
            presenters: presenters,
            leeway: leeway,
            maximumAge: maximumAge,
            keySetURL: keySetURL,
            traits: traits
        )
    }
}
