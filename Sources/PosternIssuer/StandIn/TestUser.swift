package import PosternBase

/// Somebody who can sign in here: made up, and meant to look so.
package struct TestUser: Sendable {
    /// The word for the person in requests.
    package let id: String
    package let subject: String
    package var firstName = ""
    package var lastName = ""
    package var email: String?
    package var emailVerified = true
    package var isPrivateEmail = false
    /// Claims of their own, besides.
    package var claims: [(name: String, value: JSONOutput)] = []

    package init(_ id: String, subject: String) {
        self.id = id
        self.subject = subject
    }

    var name: String {
        let name = [firstName, lastName].filter { !$0.isEmpty }.joined(separator: " ")
        return name.isEmpty ? id : name
    }

    /// Puts the person into a token; without `email` no address.
    func describe(in order: inout TokenOrder, email isTold: Bool = true) {
        order.subject = subject
        let address = isTold ? email : nil
        order.set(claim: "email", address.map { .string($0) })
        order.set(claim: "email_verified", address.map { _ in .bool(emailVerified) })
        order.set(claim: "is_private_email", address.map { _ in .bool(isPrivateEmail) })
        for claim in claims { order.set(claim: claim.name, claim.value) }
    }

    /// Those that there are unless others are given.
    package static let builtIn: [TestUser] = {
        var person = TestUser("person", subject: "000001.00000000000000000000000000000001.0001")
        (person.firstName, person.lastName, person.email) = ("Test", "Person", "test.person@example.com")
        var relay = TestUser("relay", subject: "000002.00000000000000000000000000000002.0002")
        (relay.firstName, relay.lastName) = ("Hidden", "Person")
        (relay.email, relay.isPrivateEmail) = ("abcdef1234@privaterelay.appleid.com", true)
        var managed = TestUser("managed", subject: "000003.00000000000000000000000000000003.0003")
        (managed.firstName, managed.lastName) = ("Managed", "Person")
        managed.claims = [("org_id", .string("00000000-0000-4000-8000-000000000003"))]
        var unverified = TestUser("unverified", subject: "000004.00000000000000000000000000000004.0004")
        (unverified.firstName, unverified.lastName) = ("Unverified", "Person")
        (unverified.email, unverified.emailVerified) = ("unverified.person@example.com", false)
        return [person, relay, managed, unverified]
    }()
}
