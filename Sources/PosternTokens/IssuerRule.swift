internal import PosternBase

/// Which `iss` values a provider's tokens may have.
enum IssuerRule: Sendable {
    /// One of these, byte for byte; the first is the canonical one.
    case exactly([String])
    /// Microsoft's: one issuer for each tenant, named by the token's own `tid`.
    case microsoft(MicrosoftTenant)

    func check() throws(ConfigurationError) {
        guard case .exactly(let issuers) = self else { return }
        guard !issuers.isEmpty, !issuers.contains(where: \.isEmpty) else {
            throw ConfigurationError("An issuer is missing or empty.")
        }
    }

    var description: [String] {
        switch self {
        case .exactly(let issuers): issuers
        case .microsoft(let tenant): [MicrosoftTenant.issuer(of: tenant.identifier ?? "{tenantid}")]
        }
    }
}

/// The tenants of Microsoft Entra ID whose tokens are accepted.
public struct MicrosoftTenant: Sendable {
    private enum Kind: Sendable { case common, organizations, consumers, one(String) }

    private let kind: Kind

    /// Any tenant, personal accounts included.
    public static let common = MicrosoftTenant(kind: .common)
    /// Any tenant of an organization.
    public static let organizations = MicrosoftTenant(kind: .organizations)
    /// Personal accounts.
    public static let consumers = MicrosoftTenant(kind: .consumers)

    private static let personalAccounts = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private init(kind: Kind) { self.kind = kind }

    /// `common`, `organizations`, `consumers`, or the GUID of one tenant in lower-case hex.
    public init(_ text: String) throws(ConfigurationError) {
        let words: [(String, MicrosoftTenant)] = [
            ("common", .common), ("organizations", .organizations), ("consumers", .consumers),
        ]
        if let word = words.first(where: { $0.0.isSameBytes(as: text) }) {
            self = word.1
            return
        }
        guard Self.isGUID(text) else {
            throw ConfigurationError(
                "The tenant \(Excerpt.quote(text)) is neither common, organizations, consumers nor a GUID in lower case; "
                    + "a domain name is not taken, the tenant's ID is."
            )
        }
        kind = .one(text)
    }

    /// The word for it in Microsoft's URLs.
    var name: String {
        switch kind {
        case .common: "common"
        case .organizations: "organizations"
        case .consumers: "consumers"
        case .one(let identifier): identifier
        }
    }

    /// The only tenant that is accepted, if there is just one.
    var identifier: String? {
        switch kind {
        case .common, .organizations: nil
        case .consumers: Self.personalAccounts
        case .one(let identifier): identifier
        }
    }

    func accepts(_ identifier: String) -> Bool {
        guard Self.isGUID(identifier) else { return false }
        switch kind {
        case .common: return true
        case .organizations: return !identifier.isSameBytes(as: Self.personalAccounts)
        case .consumers: return identifier.isSameBytes(as: Self.personalAccounts)
        case .one(let wanted): return identifier.isSameBytes(as: wanted)
        }
    }

    static func issuer(of identifier: String) -> String { "https://login.microsoftonline.com/\(identifier)/v2.0" }

    /// Whether a key with this `issuer` member may sign for `issuer`.
    static func keyIssuer(_ template: String, of identifier: String, matches issuer: String) -> Bool {
        let marker = Array("{tenantid}".utf8)
        let bytes = Array(template.utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: marker) }) else {
            return template.isSameBytes(as: issuer)
        }
        let filled = bytes[..<start] + identifier.utf8 + bytes[(start + marker.count)...]
        return filled.elementsEqual(issuer.utf8)
    }

    private static func isGUID(_ text: String) -> Bool {
        let groups = Array(text.utf8).split(separator: 0x2D, omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
