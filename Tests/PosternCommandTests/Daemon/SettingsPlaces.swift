import Foundation
import PosternTestSupport

/// Runs of the program that look at settings.
struct SettingsRun {
    static let apple = #"{"provider":"apple","audiences":[{"client_id":"a","nonce":"issued"}]}"#
    static let unix = #"{"unix":"/nonexistent/p.sock"}"#

    /// What `check-config` says of those.
    static let areGood = "the settings are good; 'postern doctor' looks at what a start needs besides\n"

    /// Settings that can be served, with `more` members.
    static func good(_ more: String = "") -> String {
        #"{"providers":[\#(apple)],"listeners":[\#(unix)]\#(more)}"#
    }

    /// Runs a command over a file with `settings`, which messages call FILE.
    static func run(
        _ command: [String],
        _ settings: String,
        _ arguments: [String] = [],
        _ environment: [String: String] = [:]
    ) throws -> (status: Int32, text: String, complaint: String) {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(settings.utf8), called: "settings.json")
        let run = try Invocation.run(
            command + ["--config", file.path] + arguments,
            environment: ["HOME": folder.url.path].merging(environment) { $1 })
        func named(_ text: String) -> String { text.replacingOccurrences(of: file.path, with: "FILE") }
        return (run.status, named(withoutWarning(run.text)), named(run.complaint))
    }

    /// What `check-config` says to root first, whatever it is about.
    static let rootWarning = "warning: this runs as root, who may do what the daemon's user may not"

    static func withoutWarning(_ text: String) -> String {
        let lines = text.components(separatedBy: "\n")
        return lines.filter { !$0.hasPrefix(rootWarning) }.joined(separator: "\n")
    }
}
