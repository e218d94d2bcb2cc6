import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import Testing

@Suite struct MigrationTests {
    private static let second = Migration(
        version: 2, name: "second",
        script: "CREATE TABLE second (x INTEGER NOT NULL) STRICT; PRAGMA user_version = 2;")
    private static let third = Migration(
        version: 3, name: "third",
        script: "ALTER TABLE second ADD COLUMN y TEXT; PRAGMA user_version = 3;")
    private static let failing = Migration(
        version: 2, name: "failing",
        script:
            "CREATE TABLE second (x INTEGER NOT NULL) STRICT; INSERT INTO second VALUES ('no number'); PRAGMA user_version = 2;"
    )

    private func open(_ folder: TestFolder, _ migrations: [Migration], _ use: SQLiteStore.Use = .serving)
        throws(StoreFault) -> SQLiteStore
    {
        try SQLiteStore(folder: folder.data, use, migrations: migrations, limits: StoreLimits(), time: .fixed(1_234))
    }

    /// From each version to each later one, with what was there.
    @Test func everyVersionLeadsToTheLatest() async throws {
        let all = Migration.all + [Self.second, Self.third]
        for from in 1...all.count {
            for to in from...all.count {
                let folder = try TestFolder()
                let store = try open(folder, Array(all.prefix(from)))
                try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
                await store.close()
                let later = try open(folder, Array(all.prefix(to)))
                #expect(try await later.read { reader throws(StoreFault) in try reader.account(Sample.id(1)) } != nil)
                let status = try MigrationStatus(folder: folder.data, migrations: Array(all.prefix(to)))
                #expect(status.isCurrent && status.steps.map(\.version) == (1...Int64(to)).map { $0 })
                #expect(status.steps.allSatisfy { $0.appliedAt == 1_234 })
                await later.close()
            }
        }
    }

    @Test func theStatusSaysWhatIsToCome() async throws {
        let folder = try TestFolder()
        #expect(await reason { () throws(StoreFault) in _ = try MigrationStatus(folder: folder.data) } == .unavailable)
        await (try open(folder, Migration.all)).close()
        let status = try MigrationStatus(folder: folder.data, migrations: Migration.all + [Self.second])
        #expect(!status.isCurrent)
        #expect(status.steps.map(\.appliedAt) == [1_234, nil] && status.steps.last?.name == "second")
    }

    /// Nothing is served by a program that is older than the file.
    @Test func aNewerSchemaIsRefused() async throws {
        let folder = try TestFolder()
        await (try open(folder, Migration.all + [Self.second])).close()
        do throws(StoreFault) {
            await (try folder.open()).close()
            Issue.record("opened")
        } catch {
            #expect(error.reason == .unavailable && error.message.contains("newer Postern"))
        }
    }

    @Test(arguments: [
        "UPDATE migrations SET hash = zeroblob(32)", "UPDATE migrations SET version = 0", "DELETE FROM migrations",
        "UPDATE migrations SET schema_hash = zeroblob(32)", "PRAGMA user_version = 0", "PRAGMA user_version = 9",
        "CREATE INDEX mine ON audit (detail)", "DROP INDEX audit_by_time", "CREATE TABLE mine (x)",
        "CREATE TRIGGER mine AFTER INSERT ON audit BEGIN DELETE FROM sessions; END", "CREATE VIEW mine AS SELECT 1",
        "ALTER TABLE audit ADD COLUMN mine TEXT", "DROP TABLE migrations", "PRAGMA application_id = 7",
    ])
    func aChangedSchemaIsRefused(statement: String) async throws {
        let folder = try TestFolder()
        await (try folder.open()).close()
        // A semicolon within a trigger is no end.
        try folder.sqlite(statement.replacingOccurrences(of: "sessions; END", with: "sessions\u{1}END"))
        #expect(await reason { () throws(StoreFault) in _ = try folder.open() } == .damaged, "\(statement)")
    }

    /// What ANALYZE notes is SQLite's own.
    @Test func statisticsChangeNothing() async throws {
        let folder = try TestFolder()
        await (try folder.open()).close()
        try folder.sqlite("ANALYZE")
        await (try folder.open()).close()
    }

    @Test func aFailedMigrationLeavesNothing() async throws {
        let folder = try TestFolder()
        await (try folder.open()).close()
        #expect(
            await reason { () throws(StoreFault) in _ = try open(folder, Migration.all + [Self.failing]) } == .damaged)
        let store = try open(folder, Migration.all + [Self.second])
        await store.close()
    }

    /// A process that serves must not find its tables changed.
    @Test func nobodyMigratesBesideAServer() async throws {
        let folder = try TestFolder()
        let store = try open(folder, Migration.all)
        #expect(
            await reason { () throws(StoreFault) in _ = try open(folder, Migration.all + [Self.second], .beside) }
                == .locked)
        await store.close()
        await (try open(folder, Migration.all + [Self.second], .beside)).close()
    }

    /// Twenty at once on an empty folder: one makes the database, and all that may use it do.
    @Test func manyFirstStartsAtOnce() async throws {
        let folder = try TestFolder()
        let reasons = await withTaskGroup { group in
            for number: Int64 in 0..<20 {
                group.addTask {
                    await reason { () throws(StoreFault) in
                        let store = try folder.open(.beside)
                        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(number)) }
                        await store.close()
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(reasons).isSubset(of: [nil, .locked]) && reasons.contains(nil), "\(reasons)")
        let store = try folder.open()
        let count = try await store.read { reader throws(StoreFault) in try reader.accounts(after: nil, limit: 99).count
        }
        #expect(count == reasons.count { $0 == nil })
        await store.close()
    }
}
