/// To whom an identity belongs: decided from what is known, without store.
package enum LinkingRule {
    package struct Facts: Sendable {
        /// The account that has the identity.
        package var owner: AccountID?
        /// The account of the session in which it is to be linked.
        package var linkTo: AccountID?
        /// The account whose address is that of the token; nil also when the provider has no authority over the address.
        package var addressee: Account?
        /// Whether the provider has authority over the address of the token.
        package var provesAddress: Bool

        package init(
            owner: AccountID? = nil,
            linkTo: AccountID? = nil,
            addressee: Account? = nil,
            provesAddress: Bool = false
        ) {
            self.owner = owner
            self.linkTo = linkTo
            self.addressee = addressee
            self.provesAddress = provesAddress
        }
    }

    package enum Decision: Sendable, Equatable {
        case signIn(AccountID)
        /// The identity is new, and joins this account.
        case link(AccountID)
        /// The identity is new, and so is its account; with the address of the token, or without.
        case create(withAddress: Bool)
        /// The same, and the address is taken from this account, which has never proven to have it.
        ///
        /// Whoever typed it first may have a session, a token or data under the name of that account, so nobody else gets the name.
        case displace(AccountID)
        /// The identity belongs to somebody else than who is signed in.
        case takenByOther
    }

    package static func decide(_ facts: Facts) -> Decision {
        if let linkTo = facts.linkTo {
            guard let owner = facts.owner else { return .link(linkTo) }
            return owner == linkTo ? .signIn(owner) : .takenByOther
        }
        if let owner = facts.owner { return .signIn(owner) }
        guard facts.provesAddress else { return .create(withAddress: false) }
        guard let addressee = facts.addressee else { return .create(withAddress: true) }
        return addressee.emailProvenAt != nil ? .link(addressee.id) : .displace(addressee.id)
    }
}
