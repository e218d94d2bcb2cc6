import PosternTokens
import Testing

@Suite struct AudienceTests {
    @Test(arguments: [NonceRule.issued, .hashed, .plain, .unchecked])
    func aFactoryAddsNothing(rule: NonceRule) {
        for audience in [Audience.app("id", nonce: rule), .web("id", nonce: rule)] {
            #expect(audience.clientID == "id")
            #expect(audience.nonce == rule)
            #expect(!audience.acceptsUnsupportedNonce)
        }
        #expect(Audience.app("id", nonce: rule, acceptsUnsupportedNonce: true).acceptsUnsupportedNonce)
    }
}
