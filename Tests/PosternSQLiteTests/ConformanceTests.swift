import PosternAccounts
import PosternSQLite
import PosternStoreTestSupport
import Testing

@Suite struct ConformanceTests {
    @Test(arguments: StoreConformance.cases) func holds(_ rule: StoreConformance.Case) async throws {
        let folder = try TestFolder()
        let place = StorePlace(
            open: {
                await Task.yield()
                return try folder.open()
            },
            close: { store in await (store as? SQLiteStore)?.close() },
            remove: { await Task.yield() }
        )
        try await rule.run(at: place)
    }
}
