internal import PosternBase
internal import PosternJOSE
internal import PosternKeySets
internal import PosternTokens

/// One of `providers`.
struct ProviderSettings {
    enum Keys {
        case file(String)
        case fetched
    }

    let provider: Provider
    let keys: Keys
    let network: NetworkOptions
    let object: SettingsObject

    static func list(_ object: SettingsObject, _ faults: SettingsFaults) -> [ProviderSettings] {
        let listed = faults.attempt { () throws(CommandFailure) in try objects(object) } ?? []
        var providers: [ProviderSettings] = []
        for object in listed {
            faults.attempt { () throws(CommandFailure) in
                let next = try ProviderSettings(object)
                try next.check(against: providers)
                providers.append(next)
            }
        }
        return providers
    }

    private static func objects(_ object: SettingsObject) throws(CommandFailure) -> [SettingsObject] {
        guard let objects = try object.objects("providers") else { throw object.missing("providers") }
        guard !objects.isEmpty else {
            throw object.failure("providers", "is empty: name one whose tokens are to be verified")
        }
        return objects
    }

    /// Names are what callers choose by. Two that take the same tokens would leave open whose rules count.
    private func check(against others: [ProviderSettings]) throws(CommandFailure) {
        for other in others {
            if other.provider.name.isSameBytes(as: provider.name) {
                throw object.failure(
                    object.has("name") ? "name" : "provider",
                    "is \(Excerpt.quote(provider.name)) twice: give one of them another name")
            }
            guard let issuer = provider.issuerNames.first(where: other.provider.issuerNames.containsBytes(of:)) else {
                continue
            }
            for audience in provider.audiences {
                guard other.provider.audiences.contains(where: { $0.clientID.isSameBytes(as: audience.clientID) })
                else {
                    continue
                }
                throw object.failure(
                    "audiences",
                    "has \(Excerpt.quote(audience.clientID)), as \(other.object.path) does, and both take tokens of "
                        + "\(Excerpt.plain(issuer)): leave it to one of them")
            }
        }
    }

    private init(_ object: SettingsObject) throws(CommandFailure) {
        self.object = object
        guard let kind = try object.word("provider", ProviderChoice.Name.self) else { throw object.missing("provider") }
        network = NetworkOptions(
            caFile: try object.path("ca_file"),
            proxy: try object.text("proxy"),
            allowsInsecureLoopback: try object.flag("insecure_loopback")
        )
        if let path = network.caFile { try SecretFile.checkWriters(path, of: object, "ca_file") }
        try Self.checkFit(object, kind)
        let place = try Self.keyPlace(object, network)
        keys = place.keys
        let choice = ProviderChoice(
            kind,
            issuer: kind == .oidc ? try object.required("issuer") : nil,
            tenant: kind == .microsoft ? try Self.tenant(object) : nil,
            audiences: try AudienceSettings.list(object, kind),
            presenters: try Self.presenters(object),
            algorithms: try Self.algorithms(object),
            leeway: try object.number("leeway") ?? Provider.defaultLeeway,
            maximumAge: try object.number("max_age").map { $0 == 0 ? nil : $0 }
        )
        let name = try Self.name(object, kind)
        do throws(ConfigurationError) {
            var provider = try choice.configured().replacing(name: name)
            if let url = place.url { provider = try provider.replacing(keySetURL: url) }
            self.provider = provider
        } catch {
            // All that is left to be wrong with a provider of one's own is its issuer.
            guard kind == .oidc else { throw object.failure(of: error.message) }
            throw object.failure("issuer", whole: "\(object.full("issuer")): \(error.message)")
        }
    }

    /// Whether each member that speaks of some providers only was given for one of them.
    private static func checkFit(_ object: SettingsObject, _ kind: ProviderChoice.Name) throws(CommandFailure) {
        for name in ["issuer", "keys", "algorithms"] where object.has(name) && kind != .oidc {
            throw object.failure(name, "is only for the provider oidc: that of \(kind.rawValue) is pinned")
        }
        if object.has("tenant"), kind != .microsoft {
            throw object.failure("tenant", "is only for the provider microsoft")
        }
        if object.has("presenters"), kind == .firebase {
            throw object.failure("presenters", "is not for firebase: its tokens have no azp")
        }
    }

    /// A word of the settings' choice. Nobody may take the word of a provider for another one.
    private static func name(_ object: SettingsObject, _ kind: ProviderChoice.Name) throws(CommandFailure) -> String {
        guard object.has("name") else { return kind.rawValue }
        let name = try object.required("name")
        let isWord =
            name.utf8.count <= 64
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
                    || "-_.".utf8.contains($0)
            }
        guard isWord else {
            throw object.failure("name", "takes at most 64 letters, digits, dashes, dots and underscores")
        }
        if let other = ProviderChoice.Name(rawValue: name), other != kind {
            throw object.failure("name", "is the word for another provider: choose another one")
        }
        return name
    }

    private static func tenant(_ object: SettingsObject) throws(CommandFailure) -> String {
        let tenant = try object.required("tenant")
        do throws(ConfigurationError) {
            _ = try MicrosoftTenant(tenant)
        } catch {
            throw object.failure("tenant", whole: "\(object.full("tenant")): \(error.message)")
        }
        return tenant
    }

    private static func presenters(_ object: SettingsObject) throws(CommandFailure) -> [String] {
        let presenters = try object.texts("presenters") ?? []
        for presenter in presenters {
            guard !presenter.isEmpty else { throw object.failure("presenters", "has an empty text") }
            if let fault = ClientID.fault(presenter) { throw object.failure("presenters", "has one that \(fault)") }
        }
        return presenters
    }

    private static func algorithms(_ object: SettingsObject) throws(CommandFailure) -> [Algorithm] {
        var algorithms: [Algorithm] = []
        for text in try object.texts("algorithms") ?? [] {
            guard let algorithm = Algorithm(named: text) else {
                let names = Algorithm.all.map(\.name).joined(separator: ", ")
                throw object.failure("algorithms", "takes \(names), not \(Excerpt.word(text))")
            }
            algorithms.append(algorithm)
        }
        guard !object.has("algorithms") || !algorithms.isEmpty else {
            throw object.failure("algorithms", "is empty: name what your client is registered with")
        }
        return algorithms
    }

    /// Where the keys come from, and their URL if it is of the settings' choice.
    private static func keyPlace(
        _ object: SettingsObject,
        _ network: NetworkOptions
    ) throws(CommandFailure) -> (keys: Keys, url: String?) {
        guard object.has("keys") else { return (.fetched, nil) }
        let place = try object.required("keys")
        guard NetworkOptions.isURL(Array(place.utf8)) else {
            guard place.utf8.first == 0x2F else {
                throw object.failure(
                    "keys",
                    "must be an absolute path, which begins with a slash, or a URL, which begins with https:// in small letters"
                )
            }
            for name in ["ca_file", "proxy", "insecure_loopback"] where object.has(name) {
                throw object.failure(name, "has no meaning with a key file: nothing is fetched")
            }
            let path = try object.path("keys") ?? place
            try SecretFile.checkWriters(path, of: object, "keys")
            return (.file(path), nil)
        }
        if let fault = KeySetURL.fault(of: place, allowsInsecureLoopback: network.allowsInsecureLoopback) {
            let hint = network.hint(place, "insecure_loopback") { "; \($0)" }
            throw object.failure("keys", "cannot be \(KeySetURL.shown(place)): \(fault)\(hint)")
        }
        return (.fetched, place)
    }
}

/// One of a provider's `audiences`.
enum AudienceSettings {
    private enum Kind: String, CaseIterable { case app, web }

    static func list(_ object: SettingsObject, _ provider: ProviderChoice.Name) throws(CommandFailure) -> [Audience] {
        guard let objects = try object.objects("audiences") else {
            throw object.missing("audiences", ": name the client IDs whose tokens are yours")
        }
        guard !objects.isEmpty else {
            throw object.failure("audiences", "is empty: name the client IDs whose tokens are yours")
        }
        guard provider != .firebase || objects.count == 1 else {
            throw object.failure("audiences", "takes one for firebase, the project ID")
        }
        var audiences: [Audience] = []
        var failures: [SettingsFault] = []
        for audience in objects {
            do throws(CommandFailure) {
                let next = try read(audience, provider)
                guard !audiences.contains(where: { $0.clientID.isSameBytes(as: next.clientID) }) else {
                    throw audience.failure("client_id", "is given twice: \(Excerpt.quote(next.clientID))")
                }
                audiences.append(next)
            } catch {
                failures += error.faults
            }
        }
        guard failures.isEmpty else { throw .settings(failures) }
        return audiences
    }

    private static func read(
        _ object: SettingsObject,
        _ provider: ProviderChoice.Name
    ) throws(CommandFailure) -> Audience {
        let clientID = try object.required("client_id")
        if let fault = ClientID.fault(clientID) { throw object.failure("client_id", fault) }
        let kind = try object.word("kind", Kind.self) ?? .app
        let word = try object.text("nonce")
        guard let word else { throw object.missing("nonce", ": say issued, hashed, plain or unchecked") }
        guard let rule = NonceRule(named: word) else {
            throw object.noneOf(["issued", "hashed", "plain", "unchecked"], "nonce", word)
        }
        guard provider != .firebase || rule == .unchecked else {
            throw object.failure("nonce", "must be unchecked: the tokens of Firebase hold no nonce")
        }
        let acceptsUnsupported = try object.flag("accept_unsupported_nonce")
        guard !acceptsUnsupported || kind == .app else {
            throw object.failure("accept_unsupported_nonce", "is for old apps, not for web")
        }
        guard !acceptsUnsupported || rule != .unchecked else {
            throw object.failure("accept_unsupported_nonce", "has no meaning where the nonce is unchecked")
        }
        return Audience(
            clientID, nonce: rule, acceptsUnsupportedNonce: acceptsUnsupported,
            isSingleUse: try object.flag("single_use", unlessSaid: true))
    }

    /// Without sessions there is nothing that a token could buy.
    static func checkSingleUse(_ providers: [ProviderSettings], _ faults: SettingsFaults) {
        for provider in providers {
            for audience in (try? provider.object.objects("audiences")) ?? [] where audience.has("single_use") {
                faults.note(
                    audience.failure("single_use", "has no meaning without accounts.data: tokens buy no sessions"))
            }
        }
    }
}
