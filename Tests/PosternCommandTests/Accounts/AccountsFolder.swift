import Foundation
import Glibc

/// Data that a daemon has made, and the settings of it, after it has ended or while it runs.
final class AccountsFolder {
    let folder: TemporaryFolder
    let daemon: DaemonProcess
    let client: SocketClient

    var settings: String { folder.url.appendingPathComponent("settings.json").path }
    var data: String { folder.url.appendingPathComponent("data").path }

    init(_ accounts: String = AccountsDaemon.passwords) throws {
        folder = try TemporaryFolder()
        daemon = try AccountsDaemon.start(in: folder, accounts: accounts)
        client = try SocketClient(unix: daemon.socket)
    }

    /// The name of a sign-up that waits.
    func signUp(_ email: String, _ password: String = SocketClient.password) throws -> String {
        try client.ask("POST", "/v1/accounts", #"{"email":"\#(email)","password":"\#(password)"}"#).text("sign_up")
            ?? ""
    }

    /// A confirmed account that has signed in.
    @discardableResult
    func signIn(_ email: String) throws -> SocketClient.Reply {
        _ = try client.signUp(email)
        return try client.signIn(email)
    }

    func run(_ arguments: [String], input: String = "") throws -> Invocation {
        try Invocation.run(arguments + ["--config", settings], input: Data(input.utf8))
    }

    func json(_ arguments: [String], input: String = "") throws -> [String: Any] {
        try run(arguments + ["--format", "json"], input: input).json()
    }
}
