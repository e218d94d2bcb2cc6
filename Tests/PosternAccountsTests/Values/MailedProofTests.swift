import PosternAccounts
import PosternBase
import Testing

@Suite struct MailedProofTests {
    private static let proof = MailedProof(
        id: MailedProofID(milliseconds: 1, random: .seeded(1)), purpose: .reset,
        owner: .account(AccountID(milliseconds: 1, random: .seeded(2))), email: address("secret.name@example.org"),
        createdAt: 5, expiresAt: 9)

    @Test func printedItIsAMask() {
        let mail = OutboxMail(id: OutboxMailID(milliseconds: 1, random: .seeded(3)), of: Self.proof)
        var dumped = "\(Self.proof) \(mail) \(String(reflecting: Self.proof)) \(String(reflecting: mail))"
        dump(Self.proof, to: &dumped)
        dump(mail, to: &dumped)
        #expect(!dumped.contains("secret.name") && dumped.contains("MailedProof") && dumped.contains("OutboxMail"))
    }

    @Test func itsMailGoesToItsMailboxAtOnce() {
        let mail = OutboxMail(id: OutboxMailID(milliseconds: 1, random: .seeded(3)), of: Self.proof)
        #expect(mail.email.text == Self.proof.email.text && mail.proof == Self.proof.id && mail.purpose == .reset)
        #expect((mail.createdAt, mail.nextAttemptAt, mail.tries, mail.expiresAt) == (5, 5, 0, 9))
    }

    /// Words that stand in stores and must stay.
    @Test func wordsOfPurposes() {
        #expect(MailedProof.Purpose.allCases.map(\.rawValue) == ["verify", "reset", "magic_link", "email_change"])
    }

    @Test func anAccountAndASignUpOfOneNameAreTwo() throws {
        let bytes = [UInt8](repeating: 7, count: 16)
        let account = try #require(AccountID(bytes: bytes))
        let signUp = try #require(SignUpID(bytes: bytes))
        #expect(MailedProof.Owner.account(account) != .signUp(signUp))
    }
}
