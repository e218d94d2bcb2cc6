import Foundation
import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

@Suite struct SettingsTests {
    struct Change: Sendable {
        let setting: String
        let isGood: Bool
        let apply: @Sendable (inout NetworkSettings) -> Void

        init(_ setting: String, good: Bool, _ apply: @escaping @Sendable (inout NetworkSettings) -> Void) {
            (self.setting, isGood, self.apply) = (setting, good, apply)
        }
    }

    @Test func theDefaultsAreThoseOfTheContract() {
        let settings = NetworkSettings()
        #expect(settings.connectTimeout == .seconds(2))
        #expect(settings.totalTimeout == .seconds(5))
        #expect(settings.maximumBodyBytes == 256 * 1_024)
        #expect(settings.maximumHeadBytes == 64 * 1_024)
        #expect(settings.caFile == nil)
        #expect(settings.proxy == nil)
        #expect(!settings.allowsInsecureLoopback)
    }

    @Test(arguments: [
        Change("connectTimeout", good: false) { $0.connectTimeout = .zero },
        Change("connectTimeout", good: false) { $0.connectTimeout = .microseconds(999) },
        Change("connectTimeout", good: true) { $0.connectTimeout = .milliseconds(1) },
        Change("connectTimeout", good: true) { $0.connectTimeout = .seconds(60) },
        Change("connectTimeout", good: false) { $0.connectTimeout = .milliseconds(60_001) },
        Change("totalTimeout", good: false) { $0.totalTimeout = .seconds(-1) },
        Change("totalTimeout", good: true) { $0.totalTimeout = .milliseconds(1) },
        Change("totalTimeout", good: true) { $0.totalTimeout = .seconds(300) },
        Change("totalTimeout", good: false) { $0.totalTimeout = .seconds(Int64.max / 2) },
        Change("maximumBodyBytes", good: false) { $0.maximumBodyBytes = 0 },
        Change("maximumBodyBytes", good: true) { $0.maximumBodyBytes = 16_777_216 },
        Change("maximumBodyBytes", good: false) { $0.maximumBodyBytes = 16_777_217 },
        Change("maximumHeadBytes", good: false) { $0.maximumHeadBytes = 1_023 },
        Change("maximumHeadBytes", good: true) { $0.maximumHeadBytes = 1_024 },
        Change("maximumHeadBytes", good: false) { $0.maximumHeadBytes = .max },
        Change("concurrentRequests", good: false) { $0.concurrentRequests = 0 },
        Change("concurrentRequests", good: true) { $0.concurrentRequests = 256 },
        Change("concurrentRequests", good: false) { $0.concurrentRequests = 257 },
        Change("waitingRequests", good: false) { $0.waitingRequests = -1 },
        Change("waitingRequests", good: true) { $0.waitingRequests = 0 },
        Change("waitingRequests", good: false) { $0.waitingRequests = 65_537 },
        Change("caFile", good: false) { $0.caFile = "" },
        Change("caFile", good: false) { $0.caFile = "/nonexistent/ca.pem" },
        Change("caFile", good: false) { $0.caFile = "/etc" },
        Change("caFile", good: false) { $0.caFile = "/dev/null" },
        Change("caFile", good: false) { $0.caFile = "/etc/passwd\0.pem" },
        Change("caFile", good: true) { $0.caFile = "/etc/passwd" },
        Change("proxy", good: true) { $0.proxy = "http://proxy.example:3128" },
        Change("proxy", good: true) { $0.proxy = "https://[::1]:3128/" },
        Change("proxy", good: false) { $0.proxy = "" },
        Change("proxy", good: false) { $0.proxy = "proxy.example:3128" },
        Change("proxy", good: false) { $0.proxy = "http://proxy.example" },
        Change("proxy", good: false) { $0.proxy = "http://proxy.example:3128/path" },
        Change("proxy", good: false) { $0.proxy = "socks5://proxy.example:3128" },
        Change("proxy", good: false) { $0.proxy = "http://user:secret@proxy.example:3128" },
    ])
    func ranges(change: Change) {
        var settings = NetworkSettings()
        change.apply(&settings)
        do throws(NetworkSettingsError) {
            _ = try CurlClient(settings)
            #expect(change.isGood)
        } catch {
            #expect(!change.isGood)
            #expect(error.setting == change.setting)
            #expect(error.message.contains(change.setting))
            #expect(!error.message.contains("secret"))
        }
    }

    /// What waits beyond the bound is told at once.
    @Test func tooManyWait() async throws {
        let server = try TestServer.shared.get()
        let path = "/settings/waiting"
        try await server.set(path, .held())
        let client = try CurlClient.test {
            $0.concurrentRequests = 1
            $0.waitingRequests = 0
        }
        let url = server.url(path)
        let first = Task { await client.failure(url) }
        #expect(try await server.wait(path, requests: 1))
        let failure = await client.failure(url)
        #expect(failure?.code == .failed)
        #expect(failure?.message.contains("Too many") == true)
        try await server.release(path)
        #expect(await first.value == nil)
        // The place is free again.
        #expect(await client.failure(url) == nil)
    }
}
