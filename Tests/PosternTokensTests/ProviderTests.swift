import PosternJOSE
import PosternTokens
import Testing

@Suite struct ProviderTests {
    private static let one = [Audience("com.example.app", nonce: .hashed)]

    @Test func nothingUnsafeCanBeConfigured() {
        let mistakes: [(String, () throws -> Provider)] = [
            ("no audience", { try .apple(audiences: []) }),
            ("empty audience", { try .apple(audiences: [Audience("", nonce: .hashed)]) }),
            ("audience twice", { try .google(audiences: Self.one + Self.one) }),
            ("empty presenter", { try .google(audiences: Self.one, presenters: [""]) }),
            ("negative leeway", { try .apple(audiences: Self.one, leeway: -1) }),
            ("leeway above 300", { try .apple(audiences: Self.one, leeway: 301) }),
            ("age of zero", { try .apple(audiences: Self.one, maximumAge: 0) }),
            ("negative age", { try .facebook(audiences: Self.one, maximumAge: -5) }),
            ("age above a year", { try .apple(audiences: Self.one, maximumAge: .max) }),
            ("no algorithm", { try .oidc(issuer: "https://id.example.com", audiences: Self.one, algorithms: []) }),
            ("empty issuer", { try .oidc(issuer: "", audiences: Self.one) }),
            ("Apple by the generic way", { try .oidc(issuer: "https://appleid.apple.com", audiences: Self.one) }),
            (
                "an address for an issuer",
                { try .oidc(issuer: "https://a.example/.well-known/openid-configuration", audiences: Self.one) }
            ),
            ("Google by the generic way", { try .oidc(issuer: "accounts.google.com", audiences: Self.one) }),
            (
                "Microsoft by the generic way",
                { try .oidc(issuer: "https://login.microsoftonline.com/common/v2.0", audiences: Self.one) }
            ),
            (
                "Firebase by the generic way",
                { try .oidc(issuer: "https://securetoken.google.com/p", audiences: Self.one) }
            ),
            ("empty project", { try .firebase(project: "") }),
            ("tenant", { try .microsoft(tenant: MicrosoftTenant("contoso.com"), audiences: Self.one) }),
            (
                "upper-case tenant",
                {
                    try .microsoft(
                        tenant: MicrosoftTenant("9188040D-6C67-4C5B-B112-36A304B66DAD"),
                        audiences: Self.one
                    )
                }
            ),
        ]
        for (name, make) in mistakes {
            #expect(throws: ConfigurationError.self, "\(name)") { try make() }
        }
    }

    @Test func theEdgesAreAllowed() throws {
        _ = try Provider.apple(audiences: Self.one, leeway: 0)
        _ = try Provider.apple(audiences: Self.one, leeway: 300)
        _ = try Provider.apple(audiences: Self.one, maximumAge: 1)
        _ = try Provider.apple(audiences: Self.one, maximumAge: nil)
        for tenant in ["common", "organizations", "consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"] {
            _ = try Provider.microsoft(tenant: MicrosoftTenant(tenant), audiences: Self.one)
        }
    }

    @Test func defaults() throws {
        #expect(try Provider.apple(audiences: Self.one).maximumAge == 600)
        #expect(try Provider.google(audiences: Self.one).maximumAge == 3600)
        #expect(try Provider.firebase(project: "p").maximumAge == nil)
        #expect(try Provider.apple(audiences: Self.one).leeway == 60)
        #expect(
            try Provider.oidc(issuer: "https://id.example.com", audiences: Self.one).algorithms.map(\.name) == ["RS256"]
        )
    }

    /// Pinned for all but the generic one, which has none unless it is given.
    @Test func keySetURLs() throws {
        func microsoft(_ tenant: String) throws -> String? {
            try Provider.microsoft(tenant: MicrosoftTenant(tenant), audiences: Self.one).keySetURL
        }
        let issuer = "https://id.example.com"
        #expect(try Provider.apple(audiences: Self.one).keySetURL == "https://appleid.apple.com/auth/keys")
        #expect(try Provider.google(audiences: Self.one).keySetURL == "https://www.googleapis.com/oauth2/v3/certs")
        #expect(
            try Provider.facebook(audiences: Self.one).keySetURL
                == "https://limited.facebook.com/.well-known/oauth/openid/jwks/"
        )
        #expect(
            try Provider.firebase(project: "p").keySetURL
                == "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
        )
        for tenant in ["common", "organizations", "consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"] {
            #expect(try microsoft(tenant) == "https://login.microsoftonline.com/\(tenant)/discovery/v2.0/keys")
        }
        let found = try Provider.oidc(issuer: issuer, audiences: Self.one)
        #expect(found.keySetURL == nil)
        #expect(found.discoveryIssuer == issuer)
        let given = try Provider.oidc(issuer: issuer, audiences: Self.one, keySetURL: "https://keys.example.com")
        #expect(given.keySetURL == "https://keys.example.com")
        #expect(given.discoveryIssuer == nil)
        #expect(try given.replacing(maximumAge: 60).keySetURL == given.keySetURL)
        #expect(try Provider.apple(audiences: Self.one).discoveryIssuer == nil)
    }

    @Test(arguments: ["issued", "hashed", "plain", "unchecked"])
    func nonceRuleNames(_ name: String) {
        #expect(NonceRule(named: name)?.name == name)
        #expect(NonceRule(named: name.uppercased()) == nil)
    }

    /// Nothing but the place of the keys changes.
    @Test func keysElsewhere() throws {
        let apple = try Provider.apple(audiences: Self.one, presenters: ["p"], leeway: 5, maximumAge: 7)
        let moved = try apple.replacing(keySetURL: "https://127.0.0.1:1/keys")
        #expect(moved.keySetURL == "https://127.0.0.1:1/keys")
        #expect(moved.name == "apple" && moved.algorithms == [.rs256] && moved.presenters == ["p"])
        #expect(moved.leeway == 5 && moved.maximumAge == 7 && moved.sendsNotifications)
        let other = try moved.replacing(maximumAge: nil)
        #expect(other.keySetURL == "https://127.0.0.1:1/keys" && other.maximumAge == nil)
    }

    /// Settings may call a provider what they like; nothing else of it changes.
    @Test func namesCanBeReplaced() throws {
        let provider = try Provider.oidc(issuer: "https://a.example", audiences: [Audience("a", nonce: .plain)])
        let renamed = try provider.replacing(name: "staff")
        #expect(renamed.name == "staff")
        #expect(renamed.discoveryIssuer == "https://a.example")
        #expect(renamed.issuerNames == ["https://a.example"])
        #expect(renamed.maximumAge == provider.maximumAge)
    }
}
