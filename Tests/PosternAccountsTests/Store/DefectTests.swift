import PosternStoreTestSupport
import Testing

/// A suite that nothing fails proves nothing: each of these stores is wrong in one way that is easy to get wrong.
@Suite struct DefectTests {
    @Test(
        arguments: Defect.readerDefects + Defect.changeDefects + Defect.transactionDefects + Defect.mailDefects)
    func isFound(_ defect: Defect) async throws {
        let rule = try #require(StoreConformance.cases.first { $0.name == defect.rule }, "\(defect.rule)")
        await #expect(throws: Unmet.self, "\(defect)") { try await rule.run(at: defect.place()) }
    }
}
