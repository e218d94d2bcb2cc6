import PosternStoreTestSupport
import Testing

@Suite struct MemoryStoreTests {
    @Test(arguments: StoreConformance.cases)
    func keepsEveryRule(_ rule: StoreConformance.Case) async throws { try await rule.run(at: .memory()) }

    @Test(arguments: StoreConformance.cases)
    func keepsEveryRuleWhenBodiesRunTwice(_ rule: StoreConformance.Case) async throws {
        try await rule.run(at: .memory(runs: .twice))
    }
}
