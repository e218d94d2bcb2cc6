import PosternAccounts
import PosternBase
import Testing

@Suite struct LinkingRuleTests {
    private static let a = AccountID(milliseconds: 1, random: .seeded(1))
    private static let b = AccountID(milliseconds: 2, random: .seeded(2))
    private static let c = AccountID(milliseconds: 3, random: .seeded(3))

    private static func account(_ id: AccountID?, proven: Bool) -> Account? {
        id.map { Account(id: $0, emailProvenAt: proven ? 1 : nil, createdAt: 1) }
    }

    /// All that can be known: the owner, the account of the session, the account with the address and whether it has proven it.
    @Test func everyCombination() {
        let ids: [AccountID?] = [nil, Self.a, Self.b]
        var count = 0
        for owner in ids {
            for linkTo in ids {
                for addressee in ids + [Self.c] {
                    for isProven in [false, true] {
                        for provesAddress in [false, true] where provesAddress || addressee == nil {
                            let facts = LinkingRule.Facts(
                                owner: owner, linkTo: linkTo, addressee: Self.account(addressee, proven: isProven),
                                provesAddress: provesAddress)
                            #expect(LinkingRule.decide(facts) == Self.wanted(facts), "\(facts)")
                            count += 1
                        }
                    }
                }
            }
        }
        #expect(count == 3 * 3 * 2 * (4 + 1))
    }

    /// The same said as the design says it.
    private static func wanted(_ facts: LinkingRule.Facts) -> LinkingRule.Decision {
        switch (facts.linkTo, facts.owner) {
        case (let linkTo?, let owner?) where linkTo != owner: .takenByOther
        case (_, let owner?): .signIn(owner)
        case (let linkTo?, nil): .link(linkTo)
        case (nil, nil):
            switch (facts.addressee, facts.provesAddress) {
            case (let account?, true) where account.emailProvenAt != nil: .link(account.id)
            case (let account?, true): .displace(account.id)
            case (nil, true): .create(withAddress: true)
            case (_, false): .create(withAddress: false)
            }
        }
    }

    /// Should somebody hand in an account by an address that the provider has no say about, it leads nowhere.
    @Test(arguments: [false, true])
    func anAddressWithoutAuthorityLeadsNowhere(isProven: Bool) {
        let facts = LinkingRule.Facts(
            owner: nil, linkTo: nil, addressee: Self.account(Self.a, proven: isProven), provesAddress: false)
        #expect(LinkingRule.decide(facts) == .create(withAddress: false))
    }
}
