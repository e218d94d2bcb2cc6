import Foundation
import PosternPasswords
import PosternTestSupport
import Testing

/// Waits with every comparison until a test lets it go on.
private final class SlowHasher: PasswordHasher {
    let semaphore = DispatchSemaphore(value: 0)

    func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash {
        try Argon2idHasher(.least).hash(password)
    }

    func verify(_ password: Password, against hash: StoredPasswordHash) throws(PasswordFault) -> Bool {
        semaphore.wait()
        throw PasswordFault(.memory, "a test")
    }

    func needsRehash(_ hash: StoredPasswordHash) -> Bool { false }
}

@Suite(.timeLimit(.minutes(2))) struct HashingPoolTests {
    @Test func answersAsTheCheckDoes() async throws {
        let pool = HashingPool(try PasswordCheck(CheapHasher()), threads: 2, queue: 4)
        #expect(pool.state.threads == 0)
        let password = try #require(Password("correct horse battery"))
        let hash = try await pool.hash(password.normalized())
        #expect(try await pool.check(password, against: hash) == .right(replacement: nil))
        #expect(try await pool.check(password, against: nil) == .wrong)
        #expect(try await pool.check(#require(Password("x")), against: hash) == .wrong)
        await pool.end()
        #expect(pool.state.threads == 0)
        await #expect(throws: HashingFailure.closed) { try await pool.hash(password.normalized()) }
    }

    @Test func whoFindsItFullIsToldWhenToComeBack() async throws {
        let hasher = SlowHasher()
        let pool = HashingPool(try PasswordCheck(hasher), threads: 1, queue: 1)
        let password = try #require(Password("a"))
        let first = Task { try await pool.check(password, against: nil) }
        while pool.state.busy < 1 { await Task.yield() }
        let second = Task { try await pool.check(password, against: nil) }
        while pool.state.waiting < 1 { await Task.yield() }
        await #expect(throws: HashingFailure.busy(retryAfterSeconds: 1)) {
            try await pool.check(password, against: nil)
        }
        second.cancel()
        await #expect(throws: HashingFailure.cancelled) { try await second.value }
        #expect(pool.state.waiting == 0)
        hasher.semaphore.signal()
        // A fault comes through as what it is.
        await #expect(throws: HashingFailure.failed(PasswordFault(.memory, "a test"))) { try await first.value }
    }

    /// A storm: whatever comes at once, each is answered rightly or turned away.
    @Test func manyAtOnce() async throws {
        let pool = HashingPool(try PasswordCheck(CheapHasher()), threads: 2, queue: 16)
        let hashes = try await withThrowingTaskGroup(of: (Int, StoredPasswordHash).self) { group in
            for number in 0..<10 {
                group.addTask { (number, try await pool.hash(#require(Password("password \(number)")).normalized())) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        await withTaskGroup(of: Bool?.self) { group in
            for index in 0..<1_000 {
                group.addTask {
                    let (typed, known) = (index % 10, index / 10 % 10)
                    guard let password = Password("password \(typed)") else { return false }
                    do throws(HashingFailure) {
                        let outcome = try await pool.check(password, against: hashes[known])
                        return (outcome == .right(replacement: nil)) == (typed == known)
                    } catch {
                        if case .busy = error { return nil }
                        return false
                    }
                }
            }
            var count = 0
            for await isRight in group {
                #expect(isRight != false)
                count += isRight == nil ? 0 : 1
            }
            #expect(count > 0)
        }
        #expect(pool.state.threads <= 2)
        await pool.end()
    }
}
