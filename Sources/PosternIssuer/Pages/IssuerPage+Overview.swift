internal import PosternBase

extension IssuerPage {
    /// What is here, for whoever opens the address in a browser.
    static func overview(
        _ url: String,
        _ clients: [RegisteredClient],
        _ users: [TestUser],
        _ faults: [IssuerFault]
    ) -> IssuerPage {
        let places: [(String, String)] = [
            ("Issuer", url), ("Discovery", "/.well-known/openid-configuration"), ("Keys", IssuerRoute.keysPath),
            ("Sign-in", IssuerRoute.authorizePath), ("Token", IssuerRoute.tokenPath), ("Mint", "POST /mint"),
            ("Control", "/control"),
            ("Faults", faults.isEmpty ? "none" : faults.map(\.rawValue).joined(separator: ", ")),
        ]
        let rows = clients.flatMap { client -> [(String, String)] in
            client.redirectURIs.isEmpty
                ? [(client.id, "minted tokens only")] : client.redirectURIs.map { (client.id, $0) }
        }
        let main: HTML = """
            <h1>An issuer that nobody should trust</h1>
            <p>It stands in for Apple where you develop and test. Whoever reaches it can be anybody.</p>
            \(list(places))<h2>Clients and where answers may go</h2>
            \(list(rows))<h2>Users</h2>
            \(list(users.map { ($0.id, "\($0.name), \($0.email ?? "no email address")") }))
            """
        return IssuerPage(title: "Postern test issuer", main: main)
    }
}
