import Foundation
import PosternAccounts
import PosternSQLite
import Testing

@Suite(.serialized) struct DataFolderTests {
    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test func nobodyElseCanLookIn() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        #expect(mode(folder.data) == 0o700)
        for name in ["postern.db", "postern.db-wal", "postern.db-shm"] {
            #expect(mode("\(folder.data)/\(name)") == 0o600, "\(name)")
        }
        await store.close()
    }

    /// A way to spoil the folder, and what is to be said.
    @Test(arguments: [
        ("chmod 0750 data", "0700"), ("chmod 0701 data", "0700"), ("chmod 0640 data/postern.db", "0600"),
        ("ln data/postern.db data/other", "hard link"),
        ("mv data/postern.db o && ln -s ../o data/postern.db", "a file of its own"),
        ("ln -s /dev/null data/postern.db-wal", "a file of its own"),
        ("ln -s x data/postern.db-shm", "a file of its own"),
        ("rm data/postern.db && mkdir data/postern.db", "a file of its own"),
        ("rm -r data && touch data", "not a folder"), ("rm -r data && ln -s nowhere data", "cannot be used"),
        (
            "rm data/postern.db && printf x > data/postern.db-wal && chmod 0600 data/postern.db-wal",
            "put the database back"
        ),
        (
            ": > data/postern.db && printf x > data/postern.db-wal && chmod 0600 data/postern.db-wal",
            "put the database back"
        ),
        ("rm data/postern.db && mkfifo -m 600 data/postern.db", "a file of its own"),
    ])
    func whatOthersCouldHaveMadeIsRefused(way: String, says: String) async throws {
        let folder = try TestFolder()
        await (try folder.open()).close()
        let shell = try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "cd \(folder.root) && \(way)"])
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        do throws(StoreFault) {
            await (try folder.open()).close()
            Issue.record("opened after: \(way)")
        } catch {
            #expect(
                [.unavailable, .damaged].contains(error.reason) && error.message.contains(says),
                "\(way): \(error.message)")
        }
    }

    /// A link to the folder is followed: systemd makes one.
    @Test func aLinkToTheFolderIsFollowed() async throws {
        let folder = try TestFolder()
        await (try folder.open()).close()
        try FileManager.default.createSymbolicLink(
            atPath: folder.root + "/link", withDestinationPath: folder.data)
        let store = try SQLiteStore(folder: folder.root + "/link", .serving)
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        await store.close()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func aFileOfSomebodyElseIsRefused() async throws {
        let folder = try TestFolder()
        await (try folder.open()).close()
        for path in [folder.database, folder.data] {
            #expect(chown(path, 65_534, 65_534) == 0)
            #expect(await reason { () throws(StoreFault) in _ = try folder.open() } == .unavailable)
            #expect(chown(path, 0, 0) == 0)
        }
    }

    /// One process serves; others may work beside it, and see each other's writes.
    @Test func oneServesAndOthersWorkBeside() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        #expect(await reason { () throws(StoreFault) in _ = try folder.open() } == .locked)
        let beside = try folder.open(.beside)
        try await beside.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(2)) }
        for one in [store, beside] {
            let count = try await one.read { reader throws(StoreFault) in
                try reader.accounts(after: nil, limit: 9).count
            }
            #expect(count == 2)
        }
        await store.close()
        // Who is beside keeps nobody from serving.
        let next = try folder.open()
        await beside.close()
        try await next.transact { tx throws(StoreFault) in try tx.put(Sample.account(3)) }
        await next.close()
    }

    /// An empty database beside an empty log is the start of one that was killed; and what is made is told.
    @Test func anEmptyDatabase() async throws {
        let folder = try TestFolder()
        for isNew in [true, false] {
            let store = try folder.open()
            #expect(store.isNew == isNew)
            await store.close()
        }
        for name in ["postern.db", "postern.db-wal"] {
            #expect(
                FileManager.default.createFile(
                    atPath: "\(folder.data)/\(name)", contents: Data(), attributes: [.posixPermissions: 0o600]))
        }
        let store = try folder.open()
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        await store.close()
    }

    /// Whatever is removed from the folder, its lock is not.
    @Test func nothingThatCanBeRemovedIsTheLock() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.data) {
            try FileManager.default.removeItem(atPath: "\(folder.data)/\(name)")
        }
        #expect(await reason { () throws(StoreFault) in _ = try folder.open() } == .locked)
        await store.close()
    }

    /// A store that nobody has any more ends by itself, and lets go of the folder.
    @Test func aForgottenStoreEnds() async throws {
        let folder = try TestFolder()
        try await (try folder.open()).transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        while await reason({ () throws(StoreFault) in await (try folder.open()).close() }) == .locked {
            await Task.yield()
        }
        let store = try folder.open()
        #expect(try await store.read { reader throws(StoreFault) in try reader.account(Sample.id(1)) } != nil)
        await store.close()
    }
}
