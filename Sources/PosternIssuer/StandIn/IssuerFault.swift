internal import PosternBase

/// What the issuer of tests can be told to do wrong; `Docs/Issuer.md` says what comes of each.
package enum IssuerFault: String, Sendable, CaseIterable {
    // What is asked by servers: discovery, keys, token.
    case slow
    case serverError = "server_error"
    case emptySet = "empty_set"
    case wrongDiscovery = "wrong_discovery"
    // What its tokens say.
    case rotatedKey = "rotated_key"
    case wrongIssuer = "wrong_issuer"
    case dayTokens = "day_tokens"
    case stringBooleans = "string_booleans"
    case noEmail = "no_email"
    case futureIssue = "future_iat"

    package init?(named text: String) {
        guard let fault = Self.allCases.first(where: { $0.rawValue.isSameBytes(as: text) }) else { return nil }
        self = fault
    }

    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
