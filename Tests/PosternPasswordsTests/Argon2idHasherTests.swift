import Foundation
import PosternPasswords
import Testing

@Suite struct Argon2idHasherTests {
    private static let isSanitized = ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains {
        ProcessInfo.processInfo.environment[$0] != nil
    }

    private static let hasher = Argon2idHasher(.least)

    private static func hash(_ text: String) throws -> StoredPasswordHash {
        try hasher.hash(#require(Password(text)).normalized())
    }

    private static func fits(_ text: String, _ hash: StoredPasswordHash) throws -> Bool {
        try hasher.verify(#require(Password(text)), against: hash)
    }

    @Test func theStandardIsNineteenMebibytesTwice() throws {
        let hasher = Argon2idHasher()
        let password = try #require(Password("correct horse battery"))
        let hash = try hasher.hash(password.normalized())
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(try hasher.verify(password, against: hash))
        #expect(!hasher.needsRehash(hash))
        #expect(try !hasher.verify(#require(Password("correct horse batterx")), against: hash))
    }

    @Test func eachHashHasSaltOfItsOwn() throws {
        let hashes = try (0..<20).map { _ in try Self.hash("same").text }
        #expect(Set(hashes).count == 20)
    }

    @Test(arguments: ["", "a", "before\0after", String(repeating: "x", count: 4_096), "\u{1F511}\u{1F40E}"])
    func everyPasswordCanBeHashed(text: String) throws {
        let hash = try Self.hash(text)
        #expect(try Self.fits(text, hash))
        #expect(try !Self.fits(String(text.dropLast()) + "!", hash))
        if text.utf8.count < Password.maximumByteCount { #expect(try !Self.fits(text + "\0", hash)) }
    }

    /// Keyboards spell the same letters in different ways; each of a line fits each other, and none of another line.
    @Test func spellingsOfTheSameLettersAreTheSame() throws {
        let lines = [
            ["é", "e\u{301}"], ["\u{212B}", "\u{C5}", "A\u{30A}"],
            ["\u{1E69}", "s\u{323}\u{307}", "s\u{307}\u{323}", "\u{1E63}\u{307}"],
            ["\u{AC01}", "\u{1100}\u{1161}\u{11A8}", "\u{AC00}\u{11A8}"], ["\u{2126}", "\u{3A9}"], ["fi"], ["\u{FB01}"],
            ["K"], ["\u{FF2B}"],
            ["k", "k"], ["ß"], ["ss"], ["\u{1F511}"], ["é "], [" é"],
        ]
        for line in lines {
            let hash = try Self.hash(line[0])
            for spelling in line { #expect(try Self.fits(spelling, hash), "\(line)") }
            for other in lines where other != line {
                for spelling in other { #expect(try !Self.fits(spelling, hash), "\(line) \(other)") }
            }
        }
    }

    /// Two other systems: one hashed what came, the other normalized as we do.
    @Test func foreignHashesFitWhatWasTypedThere() throws {
        let typed = "Gru\u{308}n"
        let raw = try #require(
            StoredSample.all.first { $0.form == "argon2id" && $0.password.starts(with: Array("Gru".utf8)) })
        #expect(try PosternPasswordsTests.fits(raw.password, raw.hash))
        #expect(try !Self.fits(typed, StoredPasswordHash(parsing: raw.hash)))
    }

    @Test func whatIsOfAnotherKindIsHashedAnew() throws {
        let hasher = try Argon2idHasher(#require(Argon2idParameters(memoryKiB: 64, passes: 2)))
        let own = try hasher.hash(#require(Password("a")).normalized())
        #expect(!hasher.needsRehash(own))
        #expect(Self.hasher.needsRehash(own) && Argon2idHasher().needsRehash(own))
        for sample in StoredSample.all {
            #expect(hasher.needsRehash(try StoredPasswordHash(parsing: sample.hash)) == isOwn(sample))
        }
    }

    /// All but those that look as if we had made them.
    private func isOwn(_ sample: StoredSample) -> Bool {
        !(sample.form == "argon2id" && sample.hash.contains("$m=64,t=2,p=1$")
            && sample.hash.split(separator: "$").last?.count == 43)
    }

    @Test(arguments: [
        (8, 1, true), (7, 1, false), (8, 0, false), (131_072, 8, true), (131_072, 9, false), (131_073, 1, false),
        (19_456, 2, true),
        (8, 131_072, true), (8, 131_073, false), (-1, 1, false), (.min, .min, false), (.max, .max, false),
        (1_048_576, 1, false),
    ])
    func parametersAreBounded(memoryKiB: Int, passes: Int, isPossible: Bool) {
        #expect((Argon2idParameters(memoryKiB: memoryKiB, passes: passes) != nil) == isPossible)
    }

    /// A server without memory must not tell people that their password is wrong.
    @Test(.disabled(if: isSanitized, "sanitizers need room for all addresses"))
    func missingMemoryIsAFaultAndNoVerdict() async {
        await #expect(processExitsWith: .success) {
            let hasher = Argon2idHasher(.standard)
            guard let password = Password("a"), let normalized = try? password.normalized(),
                let own = try? hasher.hash(normalized),
                let other = try? StoredPasswordHash(
                    parsing: own.text.replacing("p=1", with: "p=2")),
                let scrypt = try? StoredPasswordHash(
                    parsing: "$scrypt$ln=17,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
            else { exit(2) }
            var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
            // Less than the process has already: nothing more is to be had, and what it has it keeps.
            guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { exit(3) }
            for hash in [own, other] {
                do throws(PasswordFault) {
                    _ = try hasher.verify(password, against: hash)
                    exit(4)
                } catch {
                    guard error.reason == .memory else { exit(5) }
                }
            }
            do throws(PasswordFault) {
                _ = try hasher.hash(normalized)
                exit(6)
            } catch {
                guard error.reason == .memory else { exit(7) }
            }
            do throws(PasswordFault) {
                _ = try hasher.verify(password, against: scrypt)
                exit(8)
            } catch {
                exit(0)
            }
        }
    }
}
