/// How the issuer of tests is set up.
package struct IssuerSettings: Sendable {
    /// What signs first.
    package var key: MintingKey
    /// At least one; the first is whom tokens are for unless said.
    package var clients: [RegisteredClient]
    /// At least one; the first is whom tokens are about unless said.
    package var users = TestUser.builtIn
    package var faults: Set<IssuerFault> = []
    /// Seconds that `slow` takes: more than the verifier's client waits.
    package var slowSeconds: Int64 = 7

    /// Seconds that a token lives: ten minutes, as Apple's did at first. That they live a day is one of the faults.
    static let tokenLifetime: Int64 = 600
    package static let slowRange: ClosedRange<Int64> = 0...600

    package init(_ key: MintingKey, clients: [RegisteredClient]) {
        self.key = key
        self.clients = clients
    }
}
