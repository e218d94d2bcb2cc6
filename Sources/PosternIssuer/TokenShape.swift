internal import PosternBase

/// Whose tokens a minted one looks like.
package enum TokenShape: String, Sendable, CaseIterable {
    case apple, google, microsoft, facebook, firebase, oidc

    package static let defaultTenant = "11111111-2222-4333-8444-555555555555"

    func issuer(_ order: TokenOrder) -> String {
        switch self {
        case .apple: "https://appleid.apple.com"
        case .google: "https://accounts.google.com"
        case .microsoft: "https://login.microsoftonline.com/\(order.tenant ?? Self.defaultTenant)/v2.0"
        case .facebook: "https://www.facebook.com"
        case .firebase: "https://securetoken.google.com/\(order.audiences.first ?? "")"
        case .oidc: "https://issuer.example"
        }
    }

    var subject: String {
        switch self {
        case .apple: "001234.0123456789abcdef0123456789abcdef.0123"
        case .google: "112233445566778899000"
        case .microsoft: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ"
        case .facebook: "10223344556677889"
        case .firebase: "mint0123456789abcdefghijklmn"
        case .oidc: "test-person"
        }
    }

    /// Seconds.
    var lifetime: Int64 { self == .apple ? 86_400 : 3600 }

    /// What such tokens say besides issuer, subject, audience, times, nonce and hashes.
    func particulars(_ order: TokenOrder) -> [(String, JSONOutput)] {
        switch self {
        case .apple: apple(order)
        case .google: google(order)
        case .microsoft: microsoft(order)
        case .facebook:
            [
                ("email", .string("test.person@facebook.example")), ("given_name", .string("Test")),
                ("family_name", .string("Person")), ("name", .string("Test Person")),
            ]
        case .firebase: firebase(order)
        case .oidc: [("email", .string("test.person@issuer.example")), ("email_verified", .bool(true))]
        }
    }

    private func apple(_ order: TokenOrder) -> [(String, JSONOutput)] {
        [
            ("email", .string("abcdef1234@privaterelay.appleid.com")), ("email_verified", .bool(true)),
            ("is_private_email", .bool(true)), ("auth_time", .integer(order.issuedAt)),
            ("nonce_supported", .bool(true)), ("real_user_status", .integer(2)),
        ]
    }

    private func google(_ order: TokenOrder) -> [(String, JSONOutput)] {
        [
            ("azp", .optional(order.audiences.first)), ("email", .string("test.person@gmail.com")),
            ("email_verified", .bool(true)), ("name", .string("Test Person")), ("given_name", .string("Test")),
            ("family_name", .string("Person")),
        ]
    }

    private func microsoft(_ order: TokenOrder) -> [(String, JSONOutput)] {
        [
            ("ver", .string("2.0")), ("nbf", .integer(order.issuedAt)),
            ("tid", .string(order.tenant ?? Self.defaultTenant)),
            ("oid", .string("00000000-0000-4000-8000-000000000001")), ("name", .string("Test Person")),
            ("preferred_username", .string("test.person@tenant.example")),
        ]
    }

    private func firebase(_ order: TokenOrder) -> [(String, JSONOutput)] {
        let email = JSONOutput.string("test.person@gmail.com")
        return [
            ("auth_time", .integer(order.issuedAt)), ("user_id", .string(order.subject ?? subject)), ("email", email),
            ("email_verified", .bool(true)),
            (
                "firebase",
                .object([
                    ("identities", .object([("email", .array([email]))])),
                    ("sign_in_provider", .string("password")),
                ])
            ),
        ]
    }
}
