import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import Synchronization
import Testing

/// Nobody has a database open while another takes its place, and whoever is killed on the way leaves one of the two.
@Suite(.serialized) struct RestoreAloneTests {
    private static let rounds = ProcessInfo.processInfo.environment["POSTERN_RACE_ROUNDS"].flatMap { Int($0) } ?? 20

    @Test(arguments: [SQLiteStore.Use.serving, .beside])
    func whileAStoreIsOpen(use: SQLiteStore.Use) async throws {
        let one = try await RestoreFolder()
        let store = try one.folder.open(use)
        #expect(await Self.refusal(one) == .locked)
        await store.close()
        #expect(await Self.refusal(one) == nil)
    }

    private static func refusal(_ one: RestoreFolder) async -> StoreFault.Reason? {
        await reason { () throws(StoreFault) in _ = try SQLiteRestore(one.backup, to: one.folder.data).run() }
    }

    /// A program that knows nothing of us, in the midst of something or not.
    @Test(arguments: ["", "c.execute('BEGIN')\nc.execute('SELECT count(*) FROM accounts').fetchone()\n"])
    func whileAnotherProgramHasItOpen(statements: String) async throws {
        let one = try await RestoreFolder()
        let holder = try Child.python(
            one.folder.database,
            "c.execute('SELECT count(*) FROM accounts').fetchone()\n\(statements)print('open')\nsys.stdin.readline()\nc.close()\nprint('closed')"
        )
        #expect(holder.line() == "open")
        #expect(await Self.refusal(one) == .locked)
        #expect(try one.kept.isEmpty && !one.names.contains { $0.contains("restoring") })
        try holder.say()
        #expect(holder.rest() == ["closed"])
        #expect(try await RestoreFolder.content(one.folder) == RestoreFolder.former)
        #expect(await Self.refusal(one) == nil)
    }

    private static func refusal(_ body: () throws(StoreFault) -> Void) -> StoreFault.Reason? {
        do throws(StoreFault) { try body() } catch { return error.reason }
        return nil
    }

    @Test func nobodyOpensItMeanwhile() async throws {
        let one = try await RestoreFolder()
        let target = one.folder.root + "/copy.db"
        let data = one.folder.data
        var answers: [StoreFault.Reason?] = []
        let restore = try SQLiteRestore(one.backup, to: data)
        _ = try restore.run { step in
            answers.append(Self.refusal { () throws(StoreFault) in _ = try one.folder.open(.serving) })
            answers.append(Self.refusal { () throws(StoreFault) in _ = try one.folder.open(.beside) })
            answers.append(Self.refusal { () throws(StoreFault) in try SQLiteBackup(folder: data).write(to: target) })
            answers.append(Self.refusal { () throws(StoreFault) in _ = try IntegrityCheck(folder: data) })
            answers.append(Self.refusal { () throws(StoreFault) in _ = try MigrationStatus(folder: data) })
            answers.append(Self.refusal { () throws(StoreFault) in _ = try StoredSigningKeys.read(folder: data) })
        }
        #expect(answers.count > 20 && answers.allSatisfy { $0 == .locked }, "\(answers)")
        withExtendedLifetime(restore) {}
    }

    /// Of two that come at the same time at least one is refused.
    @Test func twoAtATime() async throws {
        let one = try await RestoreFolder()
        let (file, data) = (one.backup, one.folder.data)
        for round in 0..<Self.rounds * 10 {
            let arrived = Atomic(0)
            let left = Atomic(0)
            @Sendable func holds(_ open: () throws(StoreFault) -> Any) -> Bool {
                arrived.add(1, ordering: .sequentiallyConsistent)
                while arrived.load(ordering: .sequentiallyConsistent) < 2 { sched_yield() }
                var held: Any?
                do throws(StoreFault) { held = try open() } catch { held = nil }
                // Nobody lets go before both have tried.
                left.add(1, ordering: .sequentiallyConsistent)
                while left.load(ordering: .sequentiallyConsistent) < 2 { sched_yield() }
                return withExtendedLifetime(held) { $0 != nil }
            }
            let other = OtherThread { holds { () throws(StoreFault) in try IntegrityCheck(folder: data) } }
            let mine = holds { () throws(StoreFault) in try SQLiteRestore(file, to: data) }
            let theirs = other.result()
            #expect(!(mine && theirs), "round \(round)")
        }
    }

    private static let steps = ["copied", "checking", "checked", "settled", "named", "linked", "replaced"]

    /// Killed after each step: the former database is there or the new one, both whole, and the other is not lost.
    @Test(arguments: steps, ["exchange", "link"])
    func killedOnTheWay(step: String, way: String) async throws {
        guard step != "linked" || way == "link" else { return }
        let one = try await RestoreFolder()
        let lines = try StoreWriter.start(["restore", one.folder.data, one.backup, way, step]).rest()
        #expect(lines.isEmpty, "\(lines)")
        if step == "linked" {
            // The database has two names for a moment, which is refused until the second is taken away.
            #expect(await reason { () throws(StoreFault) in _ = try one.folder.open() } == .unavailable)
            for path in try one.kept { #expect(unlink(path) == 0) }
        }
        let isDone = step == "replaced"
        #expect(
            try await RestoreFolder.content(one.folder) == (isDone ? RestoreFolder.restored : RestoreFolder.former))
        if isDone {
            #expect(try await RestoreFolder.content(kept: #require(one.kept.first)) == RestoreFolder.former)
        }
        // Once more, and to the end.
        let kept = try one.kept
        #expect(await Self.refusal(one) == nil)
        #expect(try await RestoreFolder.content(one.folder) == RestoreFolder.restored)
        #expect(try Set(one.kept).isSuperset(of: kept) && one.kept.count == kept.count + 1)
        #expect(try one.names.count == 1 + one.kept.count)
        guard !isDone else { return }
        let newest = try #require(Set(one.kept).subtracting(kept).first)
        #expect(try await RestoreFolder.content(kept: newest) == RestoreFolder.former)
    }

    /// At any moment, however short.
    @Test func killedAnywhere() async throws {
        for round in 0..<Self.rounds {
            let one = try await RestoreFolder()
            let child = try StoreWriter.start(["restore", one.folder.data, one.backup, "exchange", "never"])
            #expect(child.line() == "begins")
            for _ in 0..<(round * 1_009 % 4_001) { sched_yield() }
            child.kill()
            let lines = child.rest()
            let content = try await RestoreFolder.content(one.folder)
            #expect(content == RestoreFolder.former || content == RestoreFolder.restored, "round \(round)")
            if lines.first?.hasPrefix("restored") == true { #expect(content == RestoreFolder.restored) }
            var found = [content]
            for path in try one.kept { found.append(try await RestoreFolder.content(kept: path)) }
            #expect(found.contains(RestoreFolder.former), "round \(round): \(found)")
        }
    }
}

/// A thread of its own with what it finds out.
private final class OtherThread: Sendable {
    private let answer = Lock<Bool?>(nil)

    init(_ body: @escaping @Sendable () -> Bool) {
        Thread { [answer] in
            let result = body()
            answer.withLock { $0 = result }
        }.start()
    }

    func result() -> Bool {
        while true {
            if let result = answer.withLock({ $0 }) { return result }
            sched_yield()
        }
    }
}
