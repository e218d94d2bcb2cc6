import Foundation
import PosternAccounts
import PosternSQLite

/// Two databases that differ: the former one, of which a part stands in its log alone as after a kill, and a backup.
struct RestoreFolder {
    static let former: Set<Int64> = [1, 2]
    static let restored: Set<Int64> = [1, 3]

    let folder: TestFolder
    let backup: String

    init() async throws {
        folder = try TestFolder()
        backup = folder.root + "/backup.db"
        try await Self.write([1, 3], to: try TestFolder()) { other in
            try SQLiteBackup(folder: other.data).write(to: backup)
        }
        let killed = folder
        try await Self.write([1, 2], to: try TestFolder()) { other in
            try FileManager.default.copyItem(atPath: other.data, toPath: killed.data)
        }
    }

    /// `whileOpen` sees the folder before the store is closed.
    private static func write(
        _ numbers: [Int64],
        to folder: TestFolder,
        _ whileOpen: (TestFolder) throws -> Void
    ) async throws {
        let store = try folder.open()
        for number in numbers {
            try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(number)) }
        }
        try whileOpen(folder)
        await store.close()
    }

    /// Whose accounts are in the database, once it is found to be whole.
    static func content(_ folder: TestFolder) async throws -> Set<Int64> {
        let store = try folder.open()
        let content = try await store.read { reader throws(StoreFault) in
            var found: Set<Int64> = []
            for number: Int64 in 1...3 where try reader.account(Sample.id(number)) != nil { found.insert(number) }
            return found
        }
        await store.close()
        guard try IntegrityCheck(folder: folder.data).findings().isEmpty else { return [] }
        return content
    }

    /// The same of a database that is kept, with what stands beside it.
    static func content(kept path: String) async throws -> Set<Int64> {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(
            atPath: folder.data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
            try FileManager.default.copyItem(atPath: path + end, toPath: folder.database + end)
        }
        return try await content(folder)
    }

    var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.data)) }
    }

    /// The databases that were kept.
    var kept: [String] {
        get throws {
            try names.filter { $0.hasPrefix("postern.db.before-restore-") }.sorted().map { "\(folder.data)/\($0)" }
        }
    }
}
