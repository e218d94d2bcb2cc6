internal import PosternBase

/// The provider configuration of an issuer (OpenID Connect Discovery 1.0 §4). The place of the key set is all that is taken
/// from it: which issuers are accepted is a setting.
enum Discovery {
    /// What a document said.
    struct Found: Sendable, Equatable {
        let keySetURL: String
        let freshUntil: Duration
    }

    /// Where the document of `issuer` is: a slash at the end is removed first (§4.1).
    static func url(of issuer: String) -> String {
        let base = issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
        return base + "/.well-known/openid-configuration"
    }

    /// The `jwks_uri` of the document, if it is the one of `issuer`, byte for byte (§4.3).
    static func keySetURL(
        in body: [UInt8],
        issuer: String,
        allowsInsecureLoopback: Bool
    ) throws(KeySetFailure) -> String {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(body)
        } catch {
            throw KeySetFailure(.badDiscovery, "The discovery document is not JSON: \(error.message).")
        }
        guard let named = document.root["issuer"]?.string else {
            throw KeySetFailure(.badDiscovery, "The discovery document has no issuer.")
        }
        guard named.isSameBytes(as: issuer) else {
            throw KeySetFailure(
                .badDiscovery,
                "The discovery document is of \(Excerpt.quote(named)), not of \(Excerpt.quote(issuer))."
            )
        }
        guard let url = document.root["jwks_uri"]?.string else {
            throw KeySetFailure(.badDiscovery, "The discovery document has no jwks_uri.")
        }
        if let fault = KeySetURL.fault(of: url, allowsInsecureLoopback: allowsInsecureLoopback) {
            throw KeySetFailure(.badDiscovery, "The jwks_uri \(KeySetURL.shown(url)) must not be asked: \(fault).")
        }
        return url
    }
}
