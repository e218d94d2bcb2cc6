import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite
import Testing

/// What was acknowledged is there after a kill at any moment, and nothing is there by half.
@Suite(.serialized) struct KillTests {
    private static let rounds = Int(ProcessInfo.processInfo.environment["POSTERN_KILL_ROUNDS"] ?? "") ?? 30
    /// Rounds on one database: what is looked through after each grows.
    private static let series = 30

    @Test func whatWasAcknowledgedIsThere() async throws {
        for first in stride(from: 0, to: Self.rounds, by: Self.series) {
            try await killed(first..<min(first + Self.series, Self.rounds))
        }
    }

    private func killed(_ rounds: Range<Int>) async throws {
        let folder = try TestFolder()
        var first: Int64 = 0
        var acknowledged: Set<Int64> = []
        for round in rounds {
            let writer = try StoreWriter.start(["write", folder.data, "\(first)"])
            // It is killed after so many lines, and a little later, in the midst of something.
            var last = first
            for _ in 0..<(1 + round * 37 % 200) {
                guard let number = writer.line().flatMap({ Int64($0) }) else { break }
                acknowledged.insert(number)
                last = max(last, number)
            }
            for _ in 0..<(round * 1_009 % 7_001) { sched_yield() }
            writer.kill()
            for line in writer.rest() {
                guard let number = Int64(line) else { continue }
                acknowledged.insert(number)
                last = max(last, number)
            }
            try #require(acknowledged.contains { $0 >= first }, "round \(round): the writer has written nothing")
            // Each lane may have been at the next one.
            let end = last + 64
            let store = try folder.open { $0.readMilliseconds = 600_000 }
            let (found, halves) = try await store.read { [first] reader throws(StoreFault) in
                var found: Set<Int64> = []
                var halves: [Int64] = []
                for number in first...end {
                    switch try Self.parts(number, reader) {
                    case 5: found.insert(number)
                    case 0: break
                    default: halves.append(number)
                    }
                }
                return (found, halves)
            }
            #expect(halves.isEmpty, "round \(round): \(halves)")
            let lost = acknowledged.filter { $0 >= first && !found.contains($0) }
            #expect(lost.isEmpty, "round \(round): \(lost)")
            await store.close()
            #expect(try IntegrityCheck(folder: folder.data).findings() == [], "round \(round)")
            first = end + 1
        }
        // Nothing of earlier rounds was lost later.
        let store = try folder.open { $0.readMilliseconds = 600_000 }
        let all = acknowledged
        let lost = try await store.read { reader throws(StoreFault) in
            var lost: [Int64] = []
            for number in all where try Self.parts(number, reader) != 5 { lost.append(number) }
            return lost
        }
        #expect(lost.isEmpty && all.count >= rounds.count)
        let entries = try await store.read { reader throws(StoreFault) in
            try reader.auditTrail(of: nil, before: nil, limit: .max).count
        }
        #expect(entries >= all.count)
        await store.close()
    }

    /// How many of the five things are there that the writer writes under one number.
    private static func parts(_ number: Int64, _ reader: any StoreReader) throws(StoreFault) -> Int {
        let id: AccountID = StoreWriter.id(number)
        let account = try reader.account(id) != nil
        let password = try reader.password(of: id) != nil
        let session = try reader.session(StoreWriter.id(number))?.counter == number
        let nonce = try reader.isUsed(nonce: Sample.name(number))
        let token = try reader.rememberedToken(Sample.name(number)) != nil
        return [account, password, session, nonce, token].count { $0 }
    }
}
