internal import PosternBase
internal import PosternJOSE
internal import PosternTokens

/// The provider of a case.
enum OwnProvider {
    private enum Name: String, CaseIterable {
        case apple, google, microsoft, facebook, firebase, oidc

        var members: [String] {
            switch self {
            case .apple, .google, .facebook, .firebase: []
            case .microsoft: ["tenant"]
            case .oidc: ["issuer", "algorithms"]
            }
        }

    }

    /// The provider, or why the verifier takes none that is set up so: a failure of the case, not of the file.
    static func provider(
        _ value: JSONValue,
        _ nonces: OwnNonceRules,
        at place: String
    ) throws(VectorFault) -> Result<Provider, ConfigurationError> {
        guard let name = Name.allCases.first(where: { value["name"]?.stringEquals($0.rawValue) == true }) else {
            throw VectorFault("\(place): the name is none of \(Name.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        let fields = try Fields(
            value,
            at: place,
            required: ["name", "audiences"],
            optional: ["leeway", "maximumAge", "presenters"] + name.members
        )
        let settings = try Settings(fields, nonces)
        do {
            guard settings.presenters.isEmpty || name != .firebase else {
                throw ConfigurationError("The provider \(name) takes no presenters.")
            }
            let provider = try provider(name, settings, fields)
            guard let maximumAge = fields.optional("maximumAge") else { return .success(provider) }
            return .success(try provider.replacing(maximumAge: maximumAge.integer))
        } catch let error as ConfigurationError {
            return .failure(error)
        } catch let fault as VectorFault {
            throw fault
        } catch {
            throw VectorFault("\(place) cannot be set up.")
        }
    }

    /// What all providers have.
    private struct Settings {
        let audiences: [Audience]
        let presenters: [String]
        let leeway: Int64

        init(_ fields: Fields, _ nonces: OwnNonceRules) throws(VectorFault) {
            audiences = try nonces.audiences(try fields.texts("audiences"), at: fields.place)
            presenters = fields.has("presenters") ? try fields.texts("presenters") : []
            leeway = try fields.optionalInteger("leeway") ?? Provider.defaultLeeway
            // null is no greatest age; an absent one leaves the provider its own.
            if let age = fields.optional("maximumAge"), age.kind != .null { _ = try fields.integer("maximumAge") }
        }
    }

    private static func provider(_ name: Name, _ settings: Settings, _ fields: Fields) throws -> Provider {
        let (audiences, presenters, leeway) = (settings.audiences, settings.presenters, settings.leeway)
        switch name {
        case .apple: return try .apple(audiences: audiences, presenters: presenters, leeway: leeway)
        case .google: return try .google(audiences: audiences, presenters: presenters, leeway: leeway)
        case .facebook: return try .facebook(audiences: audiences, presenters: presenters, leeway: leeway)
        case .microsoft:
            let tenant = try MicrosoftTenant(try fields.text("tenant"))
            return try .microsoft(tenant: tenant, audiences: audiences, presenters: presenters, leeway: leeway)
        case .firebase:
            guard let project = audiences.first, audiences.count == 1, !project.acceptsUnsupportedNonce else {
                throw fields.misfit("audiences", "one project with a nonce that is always demanded")
            }
            return try .firebase(project: project.clientID, nonce: project.nonce, leeway: leeway)
        case .oidc:
            let issuer = try fields.text("issuer")
            guard let algorithms = try algorithms(fields) else {
                return try .oidc(issuer: issuer, audiences: audiences, presenters: presenters, leeway: leeway)
            }
            return try .oidc(
                issuer: issuer,
                audiences: audiences,
                algorithms: algorithms,
                presenters: presenters,
                leeway: leeway
            )
        }
    }

    private static func algorithms(_ fields: Fields) throws(VectorFault) -> [Algorithm]? {
        guard fields.has("algorithms") else { return nil }
        var algorithms: [Algorithm] = []
        for name in try fields.texts("algorithms") {
            guard let algorithm = Algorithm(named: name) else {
                throw fields.misfit("algorithms", "a list of known ones")
            }
            algorithms.append(algorithm)
        }
        return algorithms
    }
}
