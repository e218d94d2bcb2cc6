import PosternAccounts
import PosternBase
import Testing

@Suite struct AccountTests {
    private static let id = AccountID(milliseconds: 1, random: .system)

    @Test(
        arguments: [
            (nil, 0, false), (10, 9, true), (10, 10, false), (10, 11, false), (.max, .max - 1, true), (.max, 0, true),
            (.min, .min, false),
        ] as [(Int64?, Int64, Bool)])
    func isBannedBeforeASecond(until: Int64?, now: Int64, isBanned: Bool) {
        let account = Account(id: Self.id, createdAt: 0, bannedUntil: until)
        #expect(account.isBanned(at: now) == isBanned)
    }

    @Test func hashesAreComparedAsBytesAndNotPrinted() {
        func password(_ hash: String) -> StoredPassword {
            StoredPassword(account: Self.id, hash: Secret(hash), changedAt: 1)
        }
        #expect(password("\u{E9}") == password("\u{E9}"))
        #expect(password("\u{E9}") != password("e\u{301}"))
        #expect(!"\(password("$argon2id$v=19"))".contains("argon2id"))
    }
}
