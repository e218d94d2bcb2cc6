import Foundation
import PosternBase
import PosternHTTP
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import PosternTokens
import Testing

/// The copy on disk, as a source uses it.
@Suite struct DiskCopyTests {
    private let folder: TemporaryFolder
    private let path: String
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/keys"
        file = path + "/" + KeySetFolder.fileName(of: Bench.keysURL)
    }

    /// What a run leaves that has fetched a set.
    private func run(_ answer: ScriptedClient.Answer? = nil, wall: TimeSource = .fixed(Bench.second)) async throws {
        let answer = try answer ?? .ok(TestSet.rsa("one"), "ETag: \"v1\"")
        let bench = try Bench(answer, folder: path, wall: wall)
        await bench.source.warm()
        await until { FileManager.default.fileExists(atPath: file) }
    }

    /// A restart while the issuer is away, so many seconds later.
    private func restart(after seconds: Int64 = 10, _ answer: ScriptedClient.Answer = .down) throws -> Bench {
        try Bench(answer, folder: path, wall: .fixed(Bench.second + seconds))
    }

    private func ignored(_ bench: Bench) -> DiskCopyFault.Code? {
        for case .diskCopyIgnored(let fault) in bench.events { return fault.code }
        return nil
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func nobodyElseCanWrite() async throws {
        try await run()
        #expect(try mode(path) == 0o700)
        #expect(try mode(file) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1)
    }

    /// A program that ends after one verification leaves its copy; without anything to write nobody waits.
    @Test func whoEndsCanWaitForTheCopy() async throws {
        for _ in 0..<20 {
            try? FileManager.default.removeItem(atPath: path)
            let bench = try Bench(.ok(TestSet.rsa("one")), folder: path)
            await bench.source.finishWriting()
            #expect(await bench.outcome(try TestSet.token()) == "accepted")
            await bench.source.finishWriting()
            #expect(FileManager.default.fileExists(atPath: file))
        }
    }

    /// A copy is refreshed before its time is over, but not before anybody wants its keys.
    @Test func nothingIsFetchedUnasked() async throws {
        try await run()
        let bench = try restart(after: 3000, .ok(TestSet.rsa("one")))
        #expect(!bench.source.isScheduled)
        #expect(bench.source.current() != nil)
        await bench.reported { if case .fetched = $0 { true } else { false } }
        #expect(bench.fetches == 1)
    }

    @Test func aRestartDuringAnOutageVerifies() async throws {
        try await run()
        let bench = try restart()
        #expect(bench.events == [.loadedFromDisk(usable: 1)])
        #expect(bench.source.status.freshFor == 3590)
        #expect(await bench.outcome(try TestSet.token()) == "accepted")
        #expect(bench.fetches == 0)
        #expect(await bench.outcome(try TestSet.token("two")) == "keys_unavailable")
    }

    @Test func anOldCopyWaitsForOneFlightAndServes() async throws {
        try await run()
        let bench = try restart(after: 3600)
        // Unless the flight has failed already: it starts by itself.
        #expect(bench.source.current() == nil || bench.source.status.lastFailure != nil)
        #expect(await bench.outcome(try TestSet.token()) == "accepted")
        #expect(await bench.reportedFailures() == ["not_connected"])
        let last = try restart(after: 3600 + 86_399)
        #expect(await last.outcome(try TestSet.token()) == "accepted")
    }

    @Test func tooOldACopyIsIgnored() async throws {
        try await run()
        let bench = try restart(after: 3600 + 86_400)
        #expect(ignored(bench) == .tooOld)
        #expect(await bench.outcome(try TestSet.token()) == "keys_unavailable")
    }

    /// A stamp in the future counts as expired: the clock was wrong then or is now.
    @Test func aStampInTheFutureIsIgnored() async throws {
        try await run()
        #expect(ignored(try restart(after: -1)) == .inTheFuture)
        #expect(ignored(try restart(after: 0)) == nil)
        #expect(ignored(try restart(after: .min / 2)) == .inTheFuture)
        #expect(ignored(try restart(after: .max / 2)) == .tooOld)
    }

    @Test func theEntityTagOutlivesTheRestart() async throws {
        try await run()
        let bench = try restart(after: 3600, .status(304))
        #expect(await bench.outcome(try TestSet.token()) == "accepted")
        #expect(bench.client.requests.first?.fields.single("If-None-Match") == "\"v1\"")
        await bench.reported { $0 == .notModified }
        // Confirmed is as good as fetched: the copy is young again.
        await until { ignoredAfter(3600 + 3600 + 86_399) == nil }
    }

    private func ignoredAfter(_ seconds: Int64) -> DiskCopyFault.Code? {
        (try? restart(after: seconds)).flatMap { ignored($0) }
    }

    @Test func aLaterSetReplacesTheCopy() async throws {
        try await run()
        // The copy of the first run is past its time, so that the second asks.
        try await run(.ok(TestSet.rsa("one", "two")), wall: .fixed(Bench.second + 3600))
        await until { (try? restart(after: 3600).source.status.usableKeys.count) == 2 }
    }

    @Test func anUnusableSetLeavesTheCopy() async throws {
        try await run()
        let bench = try restart(after: 3600, .ok("{\"keys\":[]}"))
        #expect(await bench.outcome(try TestSet.token()) == "accepted")
        #expect(try restart(after: 3600).events.first == .loadedFromDisk(usable: 1))
    }

    @Test func whatOthersCouldHaveWrittenIsIgnored() async throws {
        try await run()
        for (mode, code) in [
            (0o620, .writableByOthers), (0o602, .writableByOthers), (0o666, .writableByOthers), (0o644, nil),
            (0o400, nil),
        ] as [(Int, DiskCopyFault.Code?)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            #expect(ignored(try restart()) == code, "\(mode)")
        }
        for (mode, code) in [
            (0o770, .writableByOthers), (0o707, .writableByOthers), (0o1777, .writableByOthers), (0o755, nil),
        ] as [(Int, DiskCopyFault.Code?)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(ignored(try restart()) == code, "\(mode)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func whatBelongsToSomebodyElseIsIgnored() async throws {
        try await run()
        #expect(chown(file, 65_534, 65_534) == 0)
        #expect(ignored(try restart()) == .foreignOwner)
        #expect(chown(file, 0, 0) == 0)
        #expect(ignored(try restart()) == nil)
        #expect(chown(path, 65_534, 65_534) == 0)
        #expect(ignored(try restart()) == .foreignOwner)
    }

    @Test func whatIsNoFileIsIgnored() async throws {
        try await run()
        let kept = folder.path + "/kept"
        try FileManager.default.moveItem(atPath: file, toPath: kept)
        #expect(ignored(try restart()) == nil)
        #expect(symlink(kept, file) == 0)
        #expect(ignored(try restart()) == .notAFile)
        #expect(unlink(file) == 0)
        #expect(mkfifo(file, 0o600) == 0)
        #expect(ignored(try restart()) == .notAFile)
        #expect(unlink(file) == 0)
        #expect(mkdir(file, 0o700) == 0)
        #expect(ignored(try restart()) == .notAFile)
    }

    @Test(arguments: ["", "{", "<html>", "{\"version\":1}", "\u{0}"])
    func damageIsIgnoredAndRepaired(_ content: String) async throws {
        try await run()
        try content.write(toFile: file, atomically: false, encoding: .utf8)
        let bench = try restart(.ok(TestSet.rsa("one")))
        #expect(ignored(bench) == .damaged)
        #expect(await bench.outcome(try TestSet.token()) == "accepted")
        await until { (try? restart().events) == [.loadedFromDisk(usable: 1)] }
    }

    private func restart(_ answer: ScriptedClient.Answer) throws -> Bench { try restart(after: 10, answer) }

    @Test func cutAnywhereItIsIgnored() async throws {
        try await run()
        let whole = try Data(contentsOf: URL(filePath: file))
        for count in stride(from: 0, to: whole.count - 2, by: 7) {
            try whole.prefix(count).write(to: URL(filePath: file))
            #expect(ignored(try restart()) == .damaged, "\(count)")
        }
    }

    @Test func aSetWithoutUsableKeysIsIgnored() throws {
        try KeySetFolder(path: path).write(stored(set: "{\"keys\":[]}"), now: Bench.second)
        #expect(ignored(try restart()) == .damaged)
        try KeySetFolder(path: path).write(stored(set: "{\"keys\":1}"), now: Bench.second)
        #expect(ignored(try restart()) == .damaged)
    }

    private func stored(source: String = Bench.keysURL, set: String) -> StoredKeySet {
        StoredKeySet(
            source: source, keySetURL: Bench.keysURL, fetchedAt: Bench.second, timeToLive: 3600, entityTag: nil,
            set: Array(set.utf8))
    }

    @Test func aCopyOfAnotherSourceIsIgnored() async throws {
        let other = "https://id.example.com/keys"
        try KeySetFolder(path: path).write(stored(source: other, set: TestSet.rsa("one")), now: Bench.second)
        #expect(ignored(try restart()) == nil)
        try FileManager.default.moveItem(
            atPath: path + "/" + KeySetFolder.fileName(of: other),
            toPath: file
        )
        #expect(ignored(try restart()) == .otherSource)
    }

    /// A key set and a discovery document at one address are two places: the checks of the one say nothing about the other.
    @Test func aKeySetIsNoDiscovery() async throws {
        let issuer = "https://id.example.com"
        let address = issuer + "/.well-known/openid-configuration"
        let audiences = [Audience(TestToken.clientID, nonce: .hashed)]
        let pinned = try Provider.oidc(issuer: issuer, audiences: audiences, keySetURL: address)
        let first = try Bench(.ok(TestSet.rsa("one")), provider: pinned, folder: path)
        await first.source.warm()
        await first.source.finishWriting()
        let copies = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(copies.count == 1)
        let discovering = try Provider.oidc(issuer: issuer, audiences: audiences)
        let second = try Bench(.down, provider: discovering, folder: path)
        #expect(second.source.current() == nil)
        #expect(second.events.isEmpty)
    }

    /// What came on the word of one authority does not serve those who trust another; both have copies of their own.
    @Test func trustIsPartOfTheCopy() throws {
        for trust in [nil, "authorities a", "authorities b"] {
            let source = Bench.keysURL + (trust.map { " by \($0)" } ?? "")
            try KeySetFolder(path: path).write(stored(source: source, set: TestSet.rsa("one")), now: Bench.second)
            for other in [nil, "authorities a", "authorities b", "custom client"] {
                let bench = try Bench(.down, folder: path, trust: other)
                #expect((bench.source.current() != nil) == (other == trust), "\(trust ?? "") \(other ?? "")")
                #expect(ignored(bench) == nil)
            }
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func aRenamedCopyOfOtherTrustIsIgnored() throws {
        let other = Bench.keysURL + " by authorities a"
        try KeySetFolder(path: path).write(stored(source: other, set: TestSet.rsa("one")), now: Bench.second)
        try FileManager.default.moveItem(atPath: path + "/" + KeySetFolder.fileName(of: other), toPath: file)
        #expect(ignored(try restart()) == .otherSource)
    }

    /// What may have come without TLS is not kept, and what somebody kept is not used.
    @Test func insecureLoopbackKeepsNothing() async throws {
        let bench = try Bench(.ok(TestSet.rsa("one")), folder: path, allowsInsecureLoopback: true)
        #expect(await bench.outcome(try TestSet.token()) == "accepted")
        await bench.source.finishWriting()
        #expect(!FileManager.default.fileExists(atPath: path))
        try KeySetFolder(path: path).write(
            try copy(Bench.second, "one", from: "http://127.0.0.1/keys"), now: Bench.second)
        #expect(ignored(try restart()) == .damaged)
    }

    private func copy(_ second: Int64, _ name: String, from url: String = Bench.keysURL) throws -> StoredKeySet {
        StoredKeySet(
            source: Bench.keysURL, keySetURL: url, fetchedAt: second, timeToLive: 3600, entityTag: nil,
            set: Array(try TestSet.rsa(name).utf8))
    }

    /// An answer that was asked for earlier and came later, in another process; one from the future is no obstacle.
    @Test func anOlderSetReplacesNoNewerOne() throws {
        let folder = KeySetFolder(path: path)
        let now = Bench.second
        for (second, name, kept) in [
            (now - 10, "one", "one"), (now - 11, "two", "one"), (now - 10, "two", "two"), (now, "one", "one"),
            (now + 1, "two", "two"), (now, "one", "one"),
        ] {
            try folder.write(try copy(second, name), now: now)
            #expect(try folder.read(for: Bench.keysURL)?.set == Array(TestSet.rsa(kept).utf8))
        }
    }

    /// The age runs from the question.
    @Test func theCopyIsAsOldAsTheQuestion() async throws {
        let wall = Lock(Bench.second)
        let bench = try Bench(.down, folder: path, wall: TimeSource { wall.withLock { $0 } })
        let keys = try TestSet.rsa("one")
        bench.client.set { _ in
            wall.withLock { $0 += 3 }
            return .ok(keys)
        }
        await bench.source.warm()
        await bench.source.finishWriting()
        #expect(try KeySetFolder(path: path).read(for: Bench.keysURL)?.fetchedAt == Bench.second)
    }

    @Test func tooLargeACopyIsIgnored() async throws {
        try await run()
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.truncate(atOffset: 1 << 40)
        #expect(ignored(try restart()) == .tooLarge)
    }

    @Test func whatCannotBeWrittenIsReported() async throws {
        for path in ["/dev/null/keys", "/proc/no-such/keys", folder.path + "/no/such/folder"] {
            let bench = try Bench(.ok(TestSet.rsa("one")), folder: path)
            #expect(await bench.outcome(try TestSet.token()) == "accepted")
            await bench.reported { if case .diskCopyNotWritten = $0 { true } else { false } }
        }
        // Nor is anything put where others could exchange it.
        #expect(mkdir(path, 0o700) == 0 && chmod(path, 0o777) == 0)
        let bench = try Bench(.ok(TestSet.rsa("one")), folder: path)
        await bench.source.warm()
        await bench.reported {
            if case .diskCopyNotWritten(let fault) = $0 { fault.code == .writableByOthers } else { false }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test func namesTellSourcesApart() {
        let sources = [
            "https://a.example.com/", "https://a.example.com", "https://A.example.com/", "https://a-example.com/", "",
            "https://a.example.com/" + String(repeating: "x", count: 500),
            "https://a.example.com/" + String(repeating: "x", count: 501), "../../etc/passwd", "é", "e\u{301}",
        ]
        let names = sources.map { KeySetFolder.fileName(of: $0) }
        #expect(Set(names.map { Array($0.utf8) }).count == sources.count)
        for name in names {
            #expect(name.utf8.count <= 255 && !name.contains("/") && !name.hasPrefix(".."))
        }
    }
}
