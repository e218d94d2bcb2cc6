import Foundation
import Glibc

/// Daemons that keep accounts, in the folder of a test.
enum AccountsDaemon {
    /// The cheapest hashing that settings take.
    static let passwords =
        #""passwords":{"enabled":true,"blocklist":["none"],"hash_memory":7168,"hash_passes":5,"hash_threads":1}"#

    /// `accounts` with data and a master key in `folder`; `more` are members of it.
    static func accounts(in folder: TemporaryFolder, _ more: String = passwords) throws -> String {
        try masterKey("master.key", in: folder)
        let path = folder.url.path
        return """
            "accounts":{"data":"\(path)/data","master_key_file":"\(path)/master.key","issuer":"https://auth.example.com"\
            \(more.isEmpty ? "" : ",\(more)")}
            """
    }

    /// A file with a key that only its owner reads; one that is there stays as it is.
    @discardableResult
    static func masterKey(_ name: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.url.appendingPathComponent(name).path
        if !FileManager.default.fileExists(atPath: path) {
            let bytes = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
            try bytes.write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
        }
        return path
    }

    static func start(
        in folder: TemporaryFolder,
        accounts more: String = passwords,
        listeners: String = #"{"unix":"SOCKET","doors":["native","auth","operations"]}"#,
        more rest: String = ""
    ) throws -> DaemonProcess {
        let daemon = try DaemonIssuer.daemon(
            listeners: listeners, more: try accounts(in: folder, more) + (rest.isEmpty ? "" : ",\(rest)"), in: folder)
        try daemon.wait(for: "listening")
        return daemon
    }

    /// Settings of a document, with its places for data and master key in `folder`.
    static func placed(_ settings: String, in folder: TemporaryFolder) throws -> String {
        settings.replacingOccurrences(of: "/etc/postern/master.key", with: try masterKey("master.key", in: folder))
            .replacingOccurrences(of: "/var/lib/postern", with: "\(folder.url.path)/data")
    }
}

/// What people do, over a connection.
extension SocketClient {
    static let password = "seven small stones in a row"

    private func body(_ email: String, _ password: String) -> String {
        #"{"email":"\#(email)","password":"\#(password)"}"#
    }

    /// A confirmed account; its name.
    func signUp(_ email: String, _ password: String = password) throws -> String {
        let answer = try ask("POST", "/v1/accounts", body(email, password))
        guard let signUp = answer.text("sign_up") else { return answer.text("id") ?? answer.word }
        return try ask("POST", "/v1/sign-ups/\(signUp)/confirm").text("id") ?? ""
    }

    func signIn(_ email: String, _ password: String = password) throws -> Reply {
        try ask("POST", "/v1/sessions", body(email, password))
    }

    func refresh(_ token: String) throws -> Reply {
        try ask("POST", "/v1/sessions/refresh", #"{"refresh_token":"\#(token)"}"#)
    }

    func introspect(_ token: String) throws -> Reply {
        let text = "token=\(token)"
        return try ask(
            "POST", "/v1/introspect", text, contentType: "application/x-www-form-urlencoded")
    }
}

extension SocketClient.Reply {
    var refreshToken: String { text("refresh_token") ?? "" }
    var accessToken: String { text("access_token") ?? "" }
    var session: String { (json["session"] as? [String: Any])?["id"] as? String ?? "" }
    var account: String { (json["account"] as? [String: Any])?["id"] as? String ?? "" }
    var isActive: Bool? { json["active"] as? Bool }
}
