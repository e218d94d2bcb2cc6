public import PosternBase
internal import PosternJOSE

/// Who a verified identity token speaks of; made only by `TokenVerifier`.
///
/// A person is the pair of `issuer` and `subject`; an email address is a way to write to them and may change.
public struct VerifiedIdentity: Sendable {
    /// The word of the provider, such as `apple`.
    public var provider: String { core.provider.name }
    /// The canonical issuer, also when the token names an alias of it.
    public let issuer: String
    /// The client ID of ours that the token was made for.
    public var audience: String { core.provider.audiences[audienceIndex].clientID }
    /// When the token expires, in seconds since 1970 (`exp`).
    public var expiresAt: Int64 { verified.expiry ?? 0 }
    /// When the token was made, in seconds since 1970 (`iat`).
    public var issuedAt: Int64 { verified.issuedAt ?? 0 }
    /// When the person last signed in at the provider, in seconds since 1970 (`auth_time`).
    public var authenticationTime: Int64? { verified.authenticationTime }
    /// All claims of the token as they were signed.
    public var claims: JSONValue { verified.document.root }

    // Most is read from the claims when it is asked for: who only wants the subject does not pay for the rest.
    private let core: TokenVerifier.Core
    private let audienceIndex: Int
    private let verified: Claims

    init(_ evidence: consuming Evidence, _ core: TokenVerifier.Core) {
        self.core = core
        issuer = evidence.issuer
        audienceIndex = evidence.audienceIndex
        verified = evidence.claims
    }

    /// The person's stable name at this issuer (`sub`).
    public var subject: Subject { Subject(claims["sub"]?.stringBytes ?? []) }

    /// The address; nil when the token has none.
    public var email: String? {
        guard let email = claims["email"]?.string, !email.isEmpty else { return nil }
        return email
    }

    /// Whether the provider says that the person controls the address. Only `true` and `"true"` say so.
    public var isEmailVerified: Bool {
        core.provider.traits.emailCanBeVerified && email != nil && flag(verified.places[.isEmailVerified])
    }

    /// Whether the provider is the one to say who has the mailbox: only then the address leads to an account.
    package var hasEmailAuthority: Bool {
        guard isEmailVerified, let email else { return false }
        switch core.provider.traits.emailAuthority {
        case .none: return false
        case .all: return true
        case .google:
            let domain = email.utf8.suffix(10).map(ASCIICase.folded)
            return domain.elementsEqual("@gmail.com".utf8) || claims["hd"]?.stringByteCount ?? 0 > 0
        }
    }

    /// The nonce rule of the audience, and whether a token for it buys one session alone.
    package var audienceRules: (nonce: NonceRule, isSingleUse: Bool) {
        let audience = core.provider.audiences[audienceIndex]
        return (audience.nonce, audience.isSingleUse)
    }

    /// Whether the address is one of Apple's relays (`is_private_email`).
    public var isPrivateRelay: Bool { flag(verified.places[.isPrivateEmail]) }

    /// Apple's guess: 0 unsupported, 1 unknown, 2 likely a person; only at the first sign-in of native apps.
    public var realUserStatus: Int64? { claims["real_user_status"]?.integer }

    /// The subject before an app changed teams, within 60 days of it (Apple's "Transferring your apps and users").
    public var transferSubject: Subject? { claims["transfer_sub"]?.stringBytes.map { Subject($0) } }

    /// Apple's organization of a managed account.
    public var organizationID: String? { claims["org_id"]?.string }

    /// Microsoft's tenant (`tid`).
    public var tenantID: String? { claims["tid"]?.string }

    /// Microsoft's identifier of the person in the tenant (`oid`), beside the subject.
    public var objectID: String? { claims["oid"]?.string }

    /// Apple sends booleans as booleans or as text; nothing else counts.
    private func flag(_ place: Int?) -> Bool {
        let document = verified.document
        guard let place else { return false }
        return document.bool(at: place) ?? document.isString(at: place, equalTo: "true")
    }
}

/// The name of a person at an issuer: opaque, compared byte for byte, never by Unicode equivalence.
public struct Subject: Sendable, Hashable, CustomStringConvertible {
    /// The UTF-8 of the claim.
    public let bytes: [UInt8]

    /// A subject of these bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The text for showing; compare `Subject` values, not this.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension VerifiedIdentity {
    /// Writes the identity as `Docs/Output.md` lists it, for the command and the daemon alike.
    package func write(to writer: inout JSONWriter) {
        let document = verified.document
        let places = verified.places
        writer.object { writer in
            writer.member("provider", provider)
            writer.member("issuer", issuer)
            writer.member("subject", textAt: places[.subject], in: document)
            writer.member("audience", audience)
            let email = places[.email].flatMap { document.stringByteCount(at: $0) ?? 0 > 0 ? $0 : nil }
            writer.member("email", textAt: email, in: document)
            writer.member(
                "email_verified",
                email != nil && core.provider.traits.emailCanBeVerified && flag(places[.isEmailVerified]))
            writer.member("is_private_email", flag(places[.isPrivateEmail]))
            writer.member("real_user_status", places[.realUserStatus].flatMap(document.integer))
            writer.member("auth_time", authenticationTime)
            writer.member("issued_at", issuedAt)
            writer.member("expires_at", expiresAt)
            writer.member("transfer_sub", textAt: places[.transferSubject], in: document)
            writer.member("org_id", textAt: places[.organization], in: document)
            writer.member("tenant_id", textAt: places[.tenant], in: document)
            writer.member("object_id", textAt: places[.object], in: document)
            writer.name("claims")
            writer.value(document.root)
        }
    }
}
