import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import Testing

/// What the machine does to a store is told in clear words, and is over when the machine's trouble is.
@Suite(.serialized) struct FaultTests {
    /// A shell runs this in a namespace of its own, where a small disk is mounted that nobody else sees.
    private static let smallDisk =
        "mount -t tmpfs -o size=3m,mode=0700 tmpfs \"$1\" && head -c 500000 /dev/zero > \"$1/filling\" && exec \"$2\" fill \"$1/data\" \"$1/filling\""

    static let canMount: Bool = {
        guard geteuid() == 0 else { return false }
        let process = try? Process.run(
            URL(fileURLWithPath: "/usr/bin/unshare"), arguments: ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
        process?.waitUntilExit()
        return process?.terminationStatus == 0
    }()

    @Test(.enabled(if: canMount, "only root can mount a small disk"))
    func aFullDisk() throws {
        let folder = try TestFolder()
        let writer = try StoreWriter.start(
            [], prefix: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", Self.smallDisk, "sh", folder.root])
        let lines = writer.rest()
        #expect(lines.first == "store_full" && lines.last?.hasPrefix("recovered after") == true, "\(lines)")
    }

    /// A file that may not grow any more is full too, for everybody who may not mount.
    @Test func aLimitOfFileSizes() throws {
        let folder = try TestFolder()
        let writer = try StoreWriter.start(
            ["fill", folder.data, "-"],
            prefix: ["/bin/sh", "-c", "trap '' XFSZ; ulimit -S -f 3000; exec \"$@\"", "sh"])
        let lines = writer.rest()
        #expect(lines.first == "store_full" && lines.last?.hasPrefix("recovered after") == true, "\(lines)")
        #expect(try IntegrityCheck(folder: folder.data).findings() == [])
    }

    /// One that it may not write, tried as a user who is not root: root may.
    @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
    func aReadOnlyFile() async throws {
        let folder = try TestFolder()
        await (try folder.open()).close()
        #expect(chmod(folder.root, 0o755) == 0)
        for path in [folder.data, folder.database] {
            #expect(chown(path, 65_534, 65_534) == 0)
        }
        // The program has to be where that user can read it.
        let program = folder.root + "/writer"
        try FileManager.default.copyItem(atPath: StoreWriter.path, toPath: program)
        let writer = try StoreWriter.start(
            [],
            prefix: [
                "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/bin/sh", "-c",
                "exec \"$0\" open \"$1\"", program, folder.data,
            ])
        func answer() throws -> String? {
            try writer.say("open")
            return writer.line()
        }
        #expect(try answer() == "opened")
        for (path, mode, usual): (String, mode_t, mode_t) in [
            (folder.database, 0o400, 0o600), (folder.data, 0o500, 0o700),
        ] {
            #expect(chmod(path, mode) == 0)
            let said = try answer()
            #expect(said?.hasPrefix("store_read_only") == true, "\(path): \(said ?? "nothing")")
            #expect(chmod(path, usual) == 0)
            #expect(try answer() == "opened", "\(path)")
        }
        writer.kill()
        _ = writer.rest()
    }

    /// Another process in the midst of writing.
    @Test func aFileThatAnotherProcessHolds() async throws {
        let folder = try TestFolder()
        let store = try folder.open { $0.busyMilliseconds = 20 }
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        let holder = try Child.python(
            folder.database,
            "c.execute('BEGIN IMMEDIATE')\nprint('held')\nsys.stdin.readline()\nc.execute('ROLLBACK')\nprint('over')")
        #expect(holder.line() == "held")
        for _ in 0..<2 {
            let why = await reason { () throws(StoreFault) in
                try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(2)) }
            }
            #expect(why == .locked)
        }
        // Who reads is not kept waiting.
        #expect(try await store.read { reader throws(StoreFault) in try reader.account(Sample.id(1)) } != nil)
        try holder.say()
        #expect(holder.rest() == ["over"])
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(2)) }
        await store.close()
    }

    /// A database that was moved away, or replaced: nothing is acknowledged that nobody would find again.
    @Test func aFileThatIsMovedAway() async throws {
        let folder = try TestFolder()
        let store = try folder.open()
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(1)) }
        let aside = folder.data + "/aside"
        #expect(rename(folder.database, aside) == 0)
        for isReplaced in [false, true] {
            if isReplaced { try Data().write(to: URL(fileURLWithPath: folder.database)) }
            let write = await reason { () throws(StoreFault) in
                try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(2)) }
            }
            let read = await reason { () throws(StoreFault) in
                _ = try await store.read { reader throws(StoreFault) in try reader.account(Sample.id(1)) }
            }
            #expect(write == .unavailable && read == .unavailable)
        }
        #expect(rename(aside, folder.database) == 0)
        try await store.transact { tx throws(StoreFault) in try tx.put(Sample.account(2)) }
        let count = try await store.read { reader throws(StoreFault) in try reader.accounts(after: nil, limit: 9).count
        }
        #expect(count == 2)
        await store.close()
        #expect(try IntegrityCheck(folder: folder.data).findings() == [])
    }

    /// A question that takes too long is broken off, and the next one is answered.
    @Test func aReadHasItsTime() async throws {
        let folder = try TestFolder()
        let store = try folder.open { $0.readMilliseconds = 0 }
        try await store.transact { tx throws(StoreFault) in
            for number: Int64 in 0..<5_000 { try tx.put(Sample.account(number)) }
        }
        let why = await reason { () throws(StoreFault) in
            _ = try await store.read { reader throws(StoreFault) in try reader.accounts(after: nil, limit: 5_000) }
        }
        #expect(why == .unavailable)
        #expect(try await store.read { reader throws(StoreFault) in try reader.account(Sample.id(1)) } != nil)
        await store.close()
    }
}
