internal import PosternBase
internal import PosternHTTP

/// An app that may ask for sign-ins, and where its answers may go.
package struct RegisteredClient: Sendable {
    package let id: String
    /// None for an app that only gets minted tokens.
    package private(set) var redirectURIs: [String] = []

    package init(_ id: String) throws(IssuerSettingsError) {
        guard (1...255).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw IssuerSettingsError("a client ID has 1 to 255 visible ASCII characters")
        }
        self.id = id
    }

    /// Answers go nowhere else, byte for byte (RFC 6749 §3.1.2.3).
    package mutating func add(redirectURI uri: String) throws(IssuerSettingsError) {
        do throws(TargetURL.Fault) {
            _ = try TargetURL(uri)
        } catch {
            throw IssuerSettingsError("the redirect URI \(Excerpt.quote(uri)) cannot be used: \(error.message)")
        }
        if !redirectURIs.containsBytes(of: uri) { redirectURIs.append(uri) }
    }
}
