import Foundation
import PosternBase
import PosternTokens

/// Settings and tokens for a daemon that trusts a test issuer, at the time that it is.
enum DaemonIssuer {
    static let issuer = "https://issuer.test"

    /// A provider whose keys are a file in `folder`.
    static func provider(in folder: TemporaryFolder, nonce: String = "issued") throws -> String {
        let keys = try folder.file(containing: Data(TestIssuer.rsa.get().keySet.utf8), called: "keys.json")
        return provider(keys: keys.path, nonce: nonce)
    }

    static func provider(keys: String, nonce: String = "issued", more: String = "") -> String {
        """
        {"provider":"oidc","name":"test","issuer":"\(issuer)","keys":"\(keys)",\(more)
         "audiences":[{"client_id":"\(TestIssuer.audience)","nonce":"\(nonce)"}]}
        """
    }

    static func settings(_ provider: String, listeners: String = #"{"unix":"SOCKET"}"#, more: String = "") -> String {
        #"{"providers":[\#(provider)],"listeners":[\#(listeners)],\#(more)}"#
    }

    /// A token for the raw nonce with members replaced, added or, where nil, left out.
    static func token(_ nonce: String, _ changes: [String: JSONOutput?] = [:]) throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        let claims: [String: JSONOutput?] = [
            "iss": .string(issuer), "iat": .integer(now), "exp": .integer(now + 600),
            "nonce": .string(Nonce.sha256Hex(of: nonce)), "email": .string("somebody@example.com"),
        ]
        return try TestIssuer.rsa.get().token(claims.merging(changes) { $1 })
    }

    /// A daemon with the keys of a file.
    static func daemon(
        listeners: String = #"{"unix":"SOCKET"}"#,
        more: String = "",
        in folder: TemporaryFolder? = nil,
        environment: [String: String] = [:]
    ) throws -> DaemonProcess {
        let folder = try folder ?? TemporaryFolder()
        let text = try settings(provider(in: folder), listeners: listeners, more: more)
        return try DaemonProcess(text, in: folder, environment: environment)
    }
}
