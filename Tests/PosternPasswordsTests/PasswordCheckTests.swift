import PosternBase
import PosternPasswords
import PosternTestSupport
import Testing

/// Says what it is told to, and counts nothing.
private struct FixedHasher: PasswordHasher {
    var fits: Result<Bool, PasswordFault> = .success(true)
    var isOld = false
    var canHash = true

    func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash {
        try Argon2idHasher(.least).hash(password)
    }

    func verify(_ password: Password, against hash: StoredPasswordHash) throws(PasswordFault) -> Bool { try fits.get() }

    func needsRehash(_ hash: StoredPasswordHash) -> Bool { isOld }
}

/// Makes one hash, for nobody, and then has no memory.
private final class ForgetfulHasher: PasswordHasher {
    private let turn = Lock(true)

    func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash {
        let isFirst = turn.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        guard isFirst else { throw PasswordFault(.memory, "a test") }
        return try Argon2idHasher(.least).hash(password)
    }

    func verify(_ password: Password, against hash: StoredPasswordHash) throws(PasswordFault) -> Bool { true }

    func needsRehash(_ hash: StoredPasswordHash) -> Bool { true }
}

@Suite struct PasswordCheckTests {
    private static let password = "correct horse battery"

    private static func sample(_ form: String) throws -> StoredPasswordHash {
        let sample = try #require(StoredSample.cheap.first { $0.form == form })
        return try StoredPasswordHash(parsing: sample.hash)
    }

    /// What each way costs. One that is not known costs as much as one that is.
    @Test func everyWayCostsOneComparison() throws {
        let hasher = CheapHasher()
        let check = try PasswordCheck(hasher)
        #expect(hasher.hashCount == 1 && hasher.verifyCount == 0)
        let right = try #require(Password(Self.password))
        let wrong = try #require(Password("correct horse batterx"))
        let own = try check.hash(right.normalized())
        let ways: [(Password, StoredPasswordHash?, PasswordCheck.Outcome)] = [
            (right, own, .right(replacement: nil)), (wrong, own, .wrong), (right, nil, .wrong), (wrong, nil, .wrong),
            (wrong, try Self.sample("bcrypt"), .wrong), (wrong, try Self.sample("firebase"), .wrong),
        ]
        for (password, hash, outcome) in ways {
            let (hashes, verifications) = (hasher.hashCount, hasher.verifyCount)
            #expect(try check.check(password, against: hash) == outcome)
            #expect(hasher.hashCount == hashes)
            #expect(hasher.verifyCount == verifications + 1)
        }
    }

    @Test(arguments: StoredSample.cheap)
    func foreignHashesAreReplacedOnce(sample: StoredSample) throws {
        let hasher = CheapHasher()
        let check = try PasswordCheck(hasher)
        let password = try #require(Password(utf8: sample.password))
        guard
            case .right(let replacement?) = try check.check(password, against: StoredPasswordHash(parsing: sample.hash))
        else {
            Issue.record("not replaced")
            return
        }
        #expect(hasher.hashCount == 2 && hasher.verifyCount == 1)
        #expect(replacement.text.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
        #expect(try check.check(password, against: replacement) == .right(replacement: nil))
    }

    /// Even if it fits the password of nobody.
    @Test func nobodyIsNeverRight() throws {
        let check = try PasswordCheck(
            FixedHasher(isOld: true), random: RandomSource { [UInt8](repeating: 0, count: $0) })
        for text in ["", "a", String(repeating: "00", count: 32)] {
            #expect(try check.check(#require(Password(text)), against: nil) == .wrong)
        }
        #expect(try check.check(#require(Password("a")), against: Self.sample("bcrypt")) != .wrong)
    }

    /// What stands behind may be mistyped, and bcrypt would not know.
    @Test func whatBcryptDidNotReadIsNotHashed() throws {
        let check = try PasswordCheck(CheapHasher())
        for (count, isReplaced) in [(71, true), (72, true), (73, false), (100, false)] {
            let text = String(String(repeating: "0123456789abcdef", count: 8).prefix(count))
            let hash = try #require(
                StoredSample.all.first { $0.form == "bcrypt" && $0.password == Array(text.utf8.prefix(72)) })
            let outcome = try check.check(#require(Password(text)), against: StoredPasswordHash(parsing: hash.hash))
            #expect(outcome != .wrong)
            #expect((outcome != .right(replacement: nil)) == isReplaced, "\(count)")
        }
    }

    @Test func aFaultIsNoVerdict() throws {
        let fault = PasswordFault(.memory, "a test")
        let check = try PasswordCheck(FixedHasher(fits: .failure(fault)))
        for hash in [nil, try Self.sample("bcrypt")] {
            #expect(throws: fault) { try check.check(#require(Password("a")), against: hash) }
        }
    }

    @Test func whoIsRightIsLetInWithoutABetterHash() throws {
        let check = try PasswordCheck(ForgetfulHasher())
        #expect(try check.check(#require(Password("a")), against: Self.sample("bcrypt")) == .right(replacement: nil))
    }
}
