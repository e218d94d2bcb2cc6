import Foundation
import PosternBase
import PosternHTTP
import PosternTransport
import Testing

@testable import PosternCommand

/// A machine and settings, and what the doctor must find there; whatever else it finds is not looked at.
struct DoctorCase: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: Diagnosis
    /// What stands in the words of the finding.
    let words: String
    let findings: @Sendable () async throws -> [Finding]

    var testDescription: String { "\(expected.rawValue): \(name)" }

    init(
        _ expected: Diagnosis,
        _ name: String,
        words: String = "",
        _ findings: @escaping @Sendable () async throws -> [Finding]
    ) {
        self.expected = expected
        self.name = name
        self.words = words
        self.findings = findings
    }

    /// A machine on which all is well, but for what is changed.
    static func machine(
        _ expected: Diagnosis,
        _ name: String,
        _ change: @escaping @Sendable (inout Surroundings) -> Void
    ) -> DoctorCase {
        DoctorCase(expected, name) {
            var surroundings = wellSurroundings()
            change(&surroundings)
            return await Doctor(surroundings, asksKeyServers: false).examine(SettingsInput(file: nil), sockets: [])
        }
    }

    /// Settings in a folder, for which `FOLDER` stands, after `prepare` has put there what is to be found.
    static func settings(
        _ expected: Diagnosis,
        _ name: String,
        _ settings: String,
        words: String = "",
        sockets: [String] = [],
        prepare: @escaping @Sendable (String) throws -> Any? = { _ in nil },
        change: (@Sendable (inout Surroundings) -> Void)? = nil
    ) -> DoctorCase {
        DoctorCase(expected, name, words: words) {
            let folder = try TemporaryFolder()
            chmod(folder.url.path, 0o700)
            let kept = try prepare(folder.url.path)
            defer { withExtendedLifetime(kept) {} }
            let text = settings.replacingOccurrences(of: "FOLDER", with: folder.url.path)
            let file = try folder.file(containing: Data(text.utf8), called: "settings.json")
            var surroundings = wellSurroundings()
            change?(&surroundings)
            return await Doctor(surroundings, asksKeyServers: false)
                .examine(
                    SettingsInput(file: Array(file.path.utf8)),
                    sockets: sockets.map { $0.replacingOccurrences(of: "FOLDER", with: folder.url.path) })
        }
    }

    static func wellSurroundings() -> Surroundings {
        var surroundings = Surroundings.ofThisProcess()
        surroundings.clock = .synchronized(maximumError: .milliseconds(3))
        surroundings.variables = [:]
        surroundings.firstFreePort = 1024
        surroundings.writeFailure = { access($0, W_OK) == 0 ? 0 : errno }
        return surroundings
    }
}
