import Foundation
import PosternAccounts
import PosternSQLite
import Testing

/// What was acknowledged is there after a kill at any moment, and nothing is there by half.
@Suite(.serialized) struct KillTests {
    private static let rounds = Int(ProcessInfo.processInfo.environment["POSTERN_KILL_ROUNDS"] ?? "") ?? 30
    /// Rounds on one database: what is looked through after each grows.
    private static let series = 30

    @Test func whatWasAcknowledgedIsThere() async throws {
        var all = Promises()
        for first in stride(from: 0, to: Self.rounds, by: Self.series) {
            all.add(try await killed(first..<min(first + Self.series, Self.rounds)))
        }
        // Each kind of change was met.
        #expect(!all.accounts.isEmpty && !all.sessions.isEmpty && !all.nonces.isEmpty, "nothing was written")
        if Self.rounds >= Self.series {
            #expect(!all.ended.isEmpty && !all.deleted.isEmpty)
            #expect(all.accounts.values.contains { $0 > 0 } && all.sessions.values.contains { $0 > 1 })
        }
    }

    private func killed(_ rounds: Range<Int>) async throws -> Promises {
        let folder = try TestFolder()
        var all = Promises()
        for round in rounds {
            let new = try Self.lived(folder, round)
            try #require(!new.isEmpty, "round \(round): the writer has written nothing")
            all.add(new)
            // The last time, that nothing of earlier rounds was lost later.
            let wanted = round == rounds.last ? all : new
            let store = try folder.open { $0.readMilliseconds = 600_000 }
            let broken = try await store.read { reader throws(StoreFault) in
                try wanted.broken(reader) + Wholeness.broken(reader)
            }
            #expect(broken.isEmpty, "round \(round): \(broken)")
            await store.close()
            #expect(try IntegrityCheck(folder: folder.data).findings() == [], "round \(round)")
        }
        return all
    }

    /// What a writer has promised before it was killed, after so many lines and a little later, in the midst of something.
    private static func lived(_ folder: TestFolder, _ round: Int) throws -> Promises {
        let writer = try StoreWriter.start(["live", folder.data, "\(round)"])
        var promises = Promises()
        for _ in 0..<(1 + round * 37 % 400) {
            guard let line = writer.line() else { break }
            promises.note(line)
        }
        for _ in 0..<(round * 1_009 % 7_001) { sched_yield() }
        writer.kill()
        for line in writer.rest() { promises.note(line) }
        return promises
    }
}

/// Nothing may be there without what was written together with it.
private enum Wholeness {
    static func broken(_ reader: any StoreReader) throws(StoreFault) -> [String] {
        var broken: [String] = []
        var last: AccountID?
        while case let page = try reader.accounts(after: last, limit: 500), !page.isEmpty {
            for account in page {
                let trail = try reader.auditTrail(of: account.id, before: nil, limit: .max).map(\.entry)
                if trail.count(where: { $0.event == .accountCreated }) != 1 { broken.append("\(account.id): no trail") }
                if try reader.password(of: account.id) == nil { broken.append("\(account.id): no password") }
                for session in try reader.sessions(of: account.id) {
                    let isNoted = trail.contains { $0.event == .signedIn && $0.session == session.id }
                    if !isNoted || account.lastSignInAt == nil { broken.append("\(session.id): by half") }
                }
                for entry in trail where entry.event == .sessionEnded {
                    guard let id = entry.session, try reader.session(id) != nil else { continue }
                    broken.append("\(id): ended and there")
                }
            }
            last = page.last?.id
        }
        if try reader.signingKeys().isEmpty { broken.append("no keys") }
        return broken
    }
}
