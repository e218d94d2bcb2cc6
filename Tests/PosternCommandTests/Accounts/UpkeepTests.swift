import Foundation
import PosternAccounts
import PosternBase
import Testing

@testable import PosternCommand

/// What the daemon does each minute, by clocks that the test moves.
@Suite(.onAThreadOfItsOwn) struct UpkeepTests {
    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// In which a nonce is deleted that expires two hours after the start; nil when it is not.
        let minute: Int64?
        /// Seconds by which the clock is ahead of the right time in a minute.
        let ahead: @Sendable (_ minute: Int64) -> Int64

        init(_ name: String, deletedIn minute: Int64?, ahead: @escaping @Sendable (_ minute: Int64) -> Int64) {
            testDescription = name
            self.minute = minute
            self.ahead = ahead
        }
    }

    /// The clock is looked at each minute from the first on.
    static let stories: [Story] = [
        Story("always right", deletedIn: 120) { _ in 0 },
        Story("set by little, again and again", deletedIn: 120) { minute in minute % 2 == 0 ? 60 : 0 },
        Story("ahead at first", deletedIn: 120) { minute in minute < 10 ? 10_000 : 0 },
        Story("ahead for some minutes", deletedIn: 120) { minute in (30..<35).contains(minute) ? 10_000 : 0 },
        // An hour begins anew with each step.
        Story("ahead once it was steady", deletedIn: 135) { minute in (70..<75).contains(minute) ? 10_000 : 0 },
        Story("ahead for one minute", deletedIn: 131) { minute in minute == 70 ? 10_000 : 0 },
        Story("set back late", deletedIn: 150) { minute in minute < 90 ? 0 : -120 },
        Story("running away", deletedIn: nil) { minute in minute * 60 },
        // What is wrong for so long is believed.
        Story("ahead for good", deletedIn: 61) { _ in 10_000 },
    ]

    @Test(arguments: stories)
    func whatIsOverIsDeleted(story: Story) async throws {
        let folder = try TemporaryFolder()
        let served = try Self.served(in: folder)
        let store = served.open.store
        let clocks = TestClocks(start: 1_800_000_000)
        let nonce = [UInt8](repeating: 7, count: 32)
        try await store.transact { tx throws(StoreFault) in
            try tx.use(nonce: nonce, expiresAt: clocks.start + 7_200)
        }
        let upkeep = Upkeep(time: clocks.wall, monotonic: clocks.monotonic)
        let task = Task { await upkeep.run { served } }
        var found: Int64?
        for minute: Int64 in 1...180 where found == nil {
            await clocks.minute(ahead: story.ahead(minute))
            let isThere = try await store.read { reader throws(StoreFault) in try reader.isUsed(nonce: nonce) }
            if !isThere { found = minute }
        }
        #expect(found == story.minute)
        task.cancel()
        await clocks.minute(ahead: 0, isLast: true)
        await task.value
        await served.close()
    }

    /// Keys are made by its clock, and by nobody else's.
    @Test func keysAreKept() async throws {
        let folder = try TemporaryFolder()
        let served = try Self.served(in: folder)
        let clocks = TestClocks(start: 1_800_000_000)
        let upkeep = Upkeep(time: clocks.wall, monotonic: clocks.monotonic)
        #expect(!served.open.signingKeys.isReady)
        let task = Task { await upkeep.run { served } }
        await clocks.minute(ahead: 0)
        #expect(served.open.signingKeys.isReady)
        let made = try await served.open.signingKeys.stored(served.open.store)
        #expect(!made.isEmpty && made.allSatisfy { $0.createdAt == clocks.start + 60 })
        task.cancel()
        await clocks.minute(ahead: 0, isLast: true)
        await task.value
        await served.close()
    }

    private static func served(in folder: TemporaryFolder) throws -> ServedAccounts {
        let text = try DaemonIssuer.settings(
            DaemonIssuer.provider(in: folder),
            listeners: #"{"unix":"\#(folder.url.path)/p.sock","doors":["native","auth"]}"#,
            more: try AccountsDaemon.accounts(in: folder, ""))
        let file = try folder.file(containing: Data(text.utf8), called: "settings.json")
        let settings = try SettingsInput(file: Array(file.path.utf8), environment: []).settings()
        return try ServedAccounts(#require(settings.accounts), after: nil)
    }
}

/// A clock and one that nobody sets, and one task that waits on it.
private final class TestClocks: Sendable {
    let start: Int64
    private let now: Lock<(wall: Int64, monotonic: Int64)>
    private let sleepers: AsyncStream<CheckedContinuation<Void, Never>>
    private let sleeps: AsyncStream<CheckedContinuation<Void, Never>>.Continuation
    private let next = Lock<CheckedContinuation<Void, Never>?>(nil)

    init(start: Int64) {
        self.start = start
        now = Lock((start, 1_000))
        (sleepers, sleeps) = AsyncStream.makeStream()
    }

    var wall: TimeSource { TimeSource { [now] in now.withLock { $0.wall } } }

    var monotonic: MonotonicTimeSource {
        MonotonicTimeSource(
            now: { [now] in .seconds(now.withLock { $0.monotonic }) },
            sleepUntil: { [sleeps] _ in await withCheckedContinuation { _ = sleeps.yield($0) } })
    }

    /// Lets a minute pass, after which the clock is ahead by so much, and waits until all that is done then is done.
    func minute(ahead: Int64, isLast: Bool = false) async {
        if next.withLock({ $0 == nil }) { await waitForSleeper() }
        now.withLock { now in
            now.monotonic += 60
            now.wall = start + now.monotonic - 1_000 + ahead
        }
        next.withLock { $0.take() }?.resume()
        if !isLast { await waitForSleeper() }
    }

    private func waitForSleeper() async {
        var iterator = sleepers.makeAsyncIterator()
        let sleeper = await iterator.next()
        next.withLock { $0 = sleeper }
    }
}
