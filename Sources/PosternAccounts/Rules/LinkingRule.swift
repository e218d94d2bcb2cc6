/// To whom an identity belongs: decided from what is known, without store.
package enum LinkingRule {
    package struct Facts: Sendable {
        /// The account that has the identity.
        package var owner: AccountID?
        /// The account of the session in which it is to be linked.
        package var linkTo: AccountID?
        /// The account whose address is that of the token; nil also when the provider has no authority over the address.
        package var addressee: Account?
        /// Whether that account has identities: then somebody uses it who is not known by the address alone.
        package var addresseeHasIdentities: Bool
        /// Whether the provider has authority over the address of the token.
        package var provesAddress: Bool

        package init(
            owner: AccountID? = nil,
            linkTo: AccountID? = nil,
            addressee: Account? = nil,
            addresseeHasIdentities: Bool = false,
            provesAddress: Bool = false
        ) {
            self.owner = owner
            self.linkTo = linkTo
            self.addressee = addressee
            self.addresseeHasIdentities = addresseeHasIdentities
            self.provesAddress = provesAddress
        }
    }

    package enum Decision: Sendable, Equatable {
        case signIn(AccountID)
        /// The identity is new, and joins this account.
        case link(AccountID)
        /// The same, and this is the first proof of the address: what came before it goes.
        case reclaim(AccountID)
        /// A new account gets the address of this one, which nobody has proven to have and which somebody else uses.
        case displace(AccountID)
        case create(withAddress: Bool)
        /// The identity belongs to somebody else than who is signed in.
        case takenByOther
    }

    /// What the first proof of an address does to the account that has it unproven.
    ///
    /// With a password alone whoever has the mailbox has the account, but for what was put there before. With identities it is
    /// somebody's, and its address may be a slip of the pen: they lose the address and nothing else.
    package static func claim(_ account: AccountID, hasIdentities: Bool) -> Decision {
        hasIdentities ? .displace(account) : .reclaim(account)
    }

    package static func decide(_ facts: Facts) -> Decision {
        if let linkTo = facts.linkTo {
            guard let owner = facts.owner else { return .link(linkTo) }
            return owner == linkTo ? .signIn(owner) : .takenByOther
        }
        if let owner = facts.owner { return .signIn(owner) }
        guard facts.provesAddress else { return .create(withAddress: false) }
        guard let addressee = facts.addressee else { return .create(withAddress: true) }
        if addressee.emailProvenAt != nil { return .link(addressee.id) }
        return claim(addressee.id, hasIdentities: facts.addresseeHasIdentities)
    }
}
