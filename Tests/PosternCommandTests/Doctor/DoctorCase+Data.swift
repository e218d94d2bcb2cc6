import Foundation
import Glibc
import PosternAccounts
import PosternBase
import Testing

@testable import PosternCommand

extension DoctorCase {
    /// The data that a daemon has made and left, after `change`.
    private static func data(
        _ expected: Diagnosis,
        _ name: String,
        words: String = "",
        _ change: @escaping @Sendable (String) throws -> Void = { _ in },
        machine: @escaping @Sendable (inout Surroundings) -> Void = { _ in },
        masterKeys: (@Sendable (String) throws -> MasterKeys)? = nil
    ) -> DoctorCase {
        DoctorCase(expected, name, words: words) {
            let made = try AccountsFolder()
            made.daemon.signal(SIGTERM)
            _ = made.daemon.end()
            try change(made.data)
            var surroundings = wellSurroundings()
            machine(&surroundings)
            return await Doctor(surroundings, asksKeyServers: false, masterKeys: try masterKeys?(made.data))
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

    /// A key that is no key of the data.
    private static func otherKey(beside folder: String) throws {
        let path = URL(fileURLWithPath: folder).deletingLastPathComponent().appending(path: "master.key")
        try Data((0..<32).map { _ in UInt8.random(in: 0...255) }).write(to: path)
    }

    /// What is in the file of the master key, from then on handed over.
    private static func key(beside folder: String) throws -> MasterKeys {
        let path = URL(fileURLWithPath: folder).deletingLastPathComponent().appending(path: "master.key")
        return try MasterKeys([Secret(Array(try Data(contentsOf: path)))])
    }

    private static func credential(beside folder: String) throws {
        let above = URL(fileURLWithPath: folder).deletingLastPathComponent().path
        try edit(beside: folder, "\"master_key_file\":\"\(above)/master.key\"", #""master_key_credential":"key""#)
    }

    static let ofSigningKeys: [DoctorCase] = [
        data(.signingKeys, "under the master key", words: "2, all sealed under the master key"),
        data(.signingKeys, "none yet", words: "none yet") { try sqlite($0, "DELETE FROM signing_keys") },
        data(.signingKeysUnusable, "under another", words: "2 of 2 do not open", otherKey),
        data(.signingKeysUnusable, "one was changed", words: "1 of 2 do not open") {
            try sqlite($0, "UPDATE signing_keys SET sealed = zeroblob(100) WHERE state = 'next'")
        },
        data(.signingKeysUnusable, "no such state") { try sqlite($0, "UPDATE signing_keys SET state = 'x'") },
        data(.signingKeysUnseen, "a credential", words: "--master-key", credential),
        data(.signingKeys, "a credential that is handed over", credential, masterKeys: key),
        data(
            .signingKeysUnusable, "another that is handed over", credential,
            masterKeys: { _ in try MasterKeys([Secret([UInt8](0..<32))]) }),
    ]

    private static func sqlite(_ folder: String, _ statement: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2])",
            "\(folder)/postern.db", statement,
        ]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.EIO) }
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
