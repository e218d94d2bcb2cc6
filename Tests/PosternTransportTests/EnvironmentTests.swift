import Foundation
import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

extension OwnProcess {
    /// Each runs in a process of its own: the environment belongs to all tests of this one.
    @Suite struct EnvironmentTests {
        private let server: TestServer

        init() throws { server = try TestServer.shared.get() }

        /// No proxy comes from the environment.
        @Test func proxiesAreIgnored() async throws {
            let path = "/environment/proxy"
            try await server.set(path, .answer())
            let proxy = try await server.listen("proxy")
            let url = server.url(path)
            let plain = server.url(path, listener: "plain")
            let caFile = server.caFile
            let address = "http://127.0.0.1:\(proxy.port)"
            await #expect(processExitsWith: .success) {
                [url = url as String, plain = plain as String, caFile = caFile as String, address = address as String]
                in
                for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                    setenv(name, address, 1)
                }
                let client = try CurlClient.patient(caFile: caFile) { $0.allowsInsecureLoopback = true }
                #expect(await client.failure(url) == nil)
                #expect(await client.failure(plain) == nil)
            }
            #expect(try await server.contacts(proxy.name) == 0)
            #expect(try await server.requests(path).count == 2)
        }

        /// The proxy of the settings is used whatever the environment says against it, but not for plain loopback.
        @Test func theProxyOfTheSettingsIsUsed() async throws {
            let path = "/environment/set"
            try await server.set(path, .answer())
            let proxy = try await server.listen("proxy")
            let url = server.url(path)
            let plain = server.url(path, listener: "plain")
            let caFile = server.caFile
            let address = "http://127.0.0.1:\(proxy.port)"
            await #expect(processExitsWith: .success) {
                [url = url as String, plain = plain as String, caFile = caFile as String, address = address as String]
                in
                setenv("no_proxy", "*", 1)
                setenv("NO_PROXY", "127.0.0.1", 1)
                let client = try CurlClient.patient(caFile: caFile) {
                    $0.proxy = address
                    $0.allowsInsecureLoopback = true
                }
                #expect(await client.failure(url) == nil)
                #expect(await client.failure(plain) == nil)
            }
            #expect(try await server.contacts(proxy.name) == 1)
        }

        /// Whom we trust is not the environment's to say.
        @Test func authoritiesAreIgnored() async throws {
            let url = server.url("/environment/authorities")
            let caFile = server.caFile
            let folder = server.folder.path
            await #expect(processExitsWith: .success) {
                [url = url as String, caFile = caFile as String, folder = folder as String] in
                for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] { setenv(name, caFile, 1) }
                for name in ["SSL_CERT_DIR", "CURL_CA_PATH"] { setenv(name, folder, 1) }
                let client = try CurlClient.patient(caFile: nil)
                #expect(await client.failure(url)?.code == .notTrusted)
            }
        }

        /// libcurl opens the file that SSLKEYLOGFILE names, and we write no key into it.
        @Test func keysAreNotLogged() async throws {
            let path = "/environment/keys"
            try await server.set(path, .answer())
            let url = server.url(path)
            let caFile = server.caFile
            let log = FileManager.default.temporaryDirectory.appending(path: "postern-\(UUID().uuidString).log").path
            defer { try? FileManager.default.removeItem(atPath: log) }
            await #expect(processExitsWith: .success) {
                [url = url as String, caFile = caFile as String, log = log as String] in
                setenv("SSLKEYLOGFILE", log, 1)
                let client = try CurlClient.patient(caFile: caFile)
                #expect(await client.failure(url) == nil)
            }
            let written = FileManager.default.contents(atPath: log) ?? Data()
            #expect(written.isEmpty)
        }

        /// Files in the home folder: login data, the settings of the curl command.
        @Test func theHomeFolderIsIgnored() async throws {
            let path = "/environment/home"
            try await server.set(path, .answer())
            let home = FileManager.default.temporaryDirectory.appending(path: "postern-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: home) }
            try Data("machine 127.0.0.1 login a password b\n".utf8).write(to: home.appending(path: ".netrc"))
            try Data("user-agent = curlrc\n".utf8).write(to: home.appending(path: ".curlrc"))
            let url = server.url(path)
            let caFile = server.caFile
            await #expect(processExitsWith: .success) {
                [url = url as String, caFile = caFile as String, folder = home.path as String] in
                for name in ["HOME", "CURL_HOME"] { setenv(name, folder, 1) }
                setenv("NETRC", folder + "/.netrc", 1)
                let client = try CurlClient.patient(caFile: caFile)
                #expect(await client.failure(url) == nil)
            }
            #expect(try await server.requests(path).first?.fields.map(\.first) == ["Host"])
        }

        /// Clients that come and go, used or not, leave no thread and no descriptor; nobody else is in this process.
        @Test func nothingIsLeftOfClients() async throws {
            let path = "/environment/clients"
            try await server.set(path, .answer(200, body: "x"))
            let url = server.url(path)
            let caFile = server.caFile
            await #expect(processExitsWith: .success) { [url = url as String, caFile = caFile as String] in
                // The first opens what the libraries keep for ever.
                do {
                    let client = try CurlClient.patient(caFile: caFile)
                    #expect(await client.failure(url) == nil)
                }
                let descriptors = Descriptors.all().count
                let threads = Descriptors.threadCount()
                for _ in 0..<40 {
                    let client = try CurlClient.patient(caFile: caFile)
                    _ = await client.failure(url)
                    let task = Task { await client.failure(url) }
                    task.cancel()
                    _ = await task.value
                    _ = try CurlClient.patient(caFile: caFile)
                }
                // The pool of tasks may have grown by a thread or two; forty clients would be forty threads.
                #expect(try await eventually { Descriptors.threadCount() < threads + 10 })
                #expect(try await eventually { Descriptors.all().count < descriptors + 10 })
            }
        }
    }
}
