import CTestResolver
import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

extension OwnProcess {
    /// In processes of their own: a released name service stays released.
    @Suite struct SlowResolverTests {
        private let server: TestServer

        init() throws { server = try TestServer.shared.get() }

        /// A name that nobody answers costs its own request the time it has, and the others nothing.
        @Test func aNameThatHangs() async throws {
            let path = "/resolver/hangs"
            try await server.set(path, .answer())
            let url = server.url(path)
            let caFile = server.caFile
            await #expect(processExitsWith: .success) {
                [url = url as String, caFile = caFile as String] in
                // Long enough for the other requests on a busy machine.
                let client = try CurlClient.patient(caFile: caFile) { $0.connectTimeout = .seconds(3) }
                let slow = Task { await client.failure("https://a.hangs.invalid/") }
                #expect(try await eventually { postern_test_resolver_waiting() == 1 })
                #expect(await client.failure(url) == nil)

                let failure = await slow.value
                #expect(failure?.code == .timedOut)
                #expect(failure?.message.contains("the name a.hangs.invalid was still being resolved") == true)
                // The name service has still not answered, and nobody waits for it.
                #expect(postern_test_resolver_waiting() == 1)
                #expect(await client.failure(url) == nil)
                #expect(postern_test_resolver_waiting() == 1)
            }
        }

        @Test func cancellingWhileANameHangs() async throws {
            let path = "/resolver/cancel"
            try await server.set(path, .answer())
            let url = server.url(path)
            let caFile = server.caFile
            await #expect(processExitsWith: .success) {
                [url = url as String, caFile = caFile as String] in
                do {
                    let client = try CurlClient.patient(caFile: caFile)
                    let task = Task { await client.failure("https://b.hangs.invalid/") }
                    #expect(try await eventually { postern_test_resolver_waiting() == 1 })
                    task.cancel()
                    #expect(await task.value?.code == .cancelled)
                    #expect(postern_test_resolver_waiting() == 1)
                    #expect(await client.failure(url) == nil)
                }
                // The client went while the name service hung; its late answer is nobody's.
                let other = try CurlClient.patient(caFile: caFile)
                #expect(await other.failure(url) == nil)
                #expect(postern_test_resolver_waiting() == 1)
                postern_test_resolver_release()
                #expect(try await eventually { postern_test_resolver_waiting() == 0 })
                #expect(await other.failure("https://c.hangs.invalid/")?.code == .notConnected)
            }
        }
    }
}
