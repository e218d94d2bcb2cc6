import Foundation
import Glibc
import Testing

@testable import PosternCommand

extension DoctorCase {
    /// The data that a daemon has made and left, after `change`.
    private static func data(
        _ expected: Diagnosis,
        _ name: String,
        words: String = "",
        _ change: @escaping @Sendable (String) throws -> Void = { _ in },
        machine: @escaping @Sendable (inout Surroundings) -> Void = { _ in }
    ) -> DoctorCase {
        DoctorCase(expected, name, words: words) {
            let made = try AccountsFolder()
            made.daemon.signal(SIGTERM)
            _ = made.daemon.end()
            try change(made.data)
            var surroundings = wellSurroundings()
            machine(&surroundings)
            return await Doctor(surroundings, asksKeyServers: false)
                .examine(SettingsInput(file: Array(made.settings.utf8)), sockets: [])
        }
    }

    /// Over the pages after the first, so that it is still a database by its head.
    private static func damage(_ folder: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: "\(folder)/postern.db"))
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 40_000))
        try file.close()
    }

    /// Changes the settings that lie beside the data.
    private static func edit(beside folder: String, _ part: String, _ other: String) throws {
        let file = URL(fileURLWithPath: folder).deletingLastPathComponent().appending(path: "settings.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(part))
        try Data(text.replacingOccurrences(of: part, with: other).utf8).write(to: file)
    }

    static let ofData: [DoctorCase] = [
        data(.dataFolder, "made by a daemon", words: "mode 0700"),
        data(.dataFolder, "not there yet", words: "the daemon makes it") {
            try FileManager.default.removeItem(atPath: $0)
        },
        data(.dataFolderMissing, "no folder above", words: "make that first") {
            try edit(beside: $0, "/data\"", "/none/data\"")
        },
        data(.authShut, "no door for keys") { try edit(beside: $0, #""auth","#, "") },
        data(.dataFolderOpen, "for others to read", words: "mode 0755") { chmod($0, 0o755) },
        data(.dataFolderOpen, "a file", words: "no folder") { path in
            try FileManager.default.removeItem(atPath: path)
            try Data().write(to: URL(fileURLWithPath: path))
        },
        data(.dataFolderForeign, "of another user", machine: { $0.user = 12_345 }),
        data(.dataFolderFull, "no room", words: "free: 1 MiB", machine: { $0.freeBytes = { _ in 1 << 20 } }),
        data(.database, "made by a daemon", words: "whole, of the present form"),
        data(.databaseNone, "not there yet") { try FileManager.default.removeItem(atPath: "\($0)/postern.db") },
        data(.databaseDamaged, "overwritten", damage),
        data(.databaseUnusable, "for others to read", words: "chmod 0600") { chmod("\($0)/postern.db", 0o644) },
        data(
            .databaseUnseen, "by root", words: "this is root",
            { path in
                if geteuid() == 0 { chown(path, 12_345, 12_345) }
            }, machine: { $0.user = 0 }),
    ]
}
