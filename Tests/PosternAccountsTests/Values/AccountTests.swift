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

    /// What most readers of JSON cannot hold makes them refuse all that it stands in.
    @Test(
        arguments: [
            ("1e308", true), ("-1.7976931348623157e308", true), ("1e-999", true), ("0e999", true),
            (String(repeating: "9", count: 300), true), ("1.8e308", false), ("1e309", false), ("-1e999", false),
            ("1E+400", false), ("1e99999999999999999999", false), (String(repeating: "9", count: 310), false),
        ] as [(String, Bool)])
    func numbersOfData(number: String, isTaken: Bool) throws {
        for form in [#"{"a":@}"#, #"{"a":[[{"b":"1e999"},{"b":[0,@]}]],"c":1}"#] {
            let text = form.replacing("@", with: number)
            let value = try JSONDocument(text).root
            if isTaken {
                #expect(try AccountData.text(of: value) == text)
            } else {
                #expect(throws: AccountData.Mistake.endlessNumber) { try AccountData.text(of: value) }
            }
        }
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
