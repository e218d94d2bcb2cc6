import Glibc
import PosternHTTP
import PosternHTTPServer
import Testing

@Suite struct ListenerTests {
    private func server(_ listeners: [Listener], inherited: InheritedSockets = .none) -> HTTPServer {
        HTTPServer(listeners: listeners, threads: 1, inherited: inherited, responder: EchoResponder())
    }

    private func failure(_ listeners: [Listener], inherited: InheritedSockets = .none) -> ServerError? {
        do throws(ServerError) {
            try server(listeners, inherited: inherited).start()
            return nil
        } catch {
            return error
        }
    }

    @Test func theSystemChoosesPorts() async throws {
        let server = server([.tcp(address: "127.0.0.1", port: 0), .tcp(address: "127.0.0.1", port: 0)])
        #expect(server.port(ofListener: 0) == nil)
        try server.start()
        let ports = [server.port(ofListener: 0), server.port(ofListener: 1)].compactMap { $0 }
        #expect(Set(ports).count == 2)
        #expect(server.port(ofListener: 2) == nil)
        // What is taken stays taken, and nothing is left of who came too late.
        let error = failure([.tcp(address: "127.0.0.1", port: 0), .tcp(address: "127.0.0.1", port: ports[0])])
        #expect(error?.code == .inUse)
        #expect(error?.listener == 1)
        await server.stop()
        #expect(try await aPortIsFreeAfterwards())
    }

    /// Somebody else may be given the port meanwhile; then another one is tried.
    private func aPortIsFreeAfterwards() async throws -> Bool {
        for _ in 0..<20 {
            let first = server([.tcp(address: "127.0.0.1", port: 0)])
            try first.start()
            let port = first.port(ofListener: 0) ?? 0
            await first.stop()
            let next = server([.tcp(address: "127.0.0.1", port: port)])
            guard (try? next.start()) != nil else { continue }
            await next.stop()
            return true
        }
        return false
    }

    @Test(arguments: ["localhost", "", "127.0.0.1:80", "127.1", "256.0.0.1", "[::1]", "::g", "0x7f.0.0.1"])
    func namesAreNoAddresses(address: String) {
        #expect(failure([.tcp(address: address, port: 0)])?.code == .invalid)
    }

    @Test func socketsMayBeHandedOver() async throws {
        try await TestServer.onThread {
            let folder = try TestServer.makeFolder()
            defer { TestServer.remove(folder) }
            let listening = try UnixListenerTests.bind(folder + "/s", listens: true)
            let server = server([.inherited(index: 0)], inherited: InheritedSockets(first: listening, count: 1))
            try server.start()
            let wire = try Wire(path: folder + "/s")
            wire.send("GET /who HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(wire.answer()?.body.hasPrefix("process(user: \(getuid())") == true)
            await server.stop()
            // The file is the service manager's.
            #expect(access(folder + "/s", F_OK) == 0)
        }
    }

    @Test func whatIsHandedOverMustListen() throws {
        let descriptors = [
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0),
            open("/dev/null", O_RDONLY),
        ]
        defer { for descriptor in descriptors { close(descriptor) } }
        for descriptor in descriptors {
            let error = failure([.inherited(index: 0)], inherited: InheritedSockets(first: descriptor, count: 1))
            #expect(error?.code == .invalid)
            #expect(error?.listener == 0)
        }
        for index in [-1, 0, 1, Int.max] {
            #expect(failure([.inherited(index: index)])?.code == .invalid)
        }
    }

    @Test func variablesMustBeMeantForThisProcess() {
        let own = "\(getpid())"
        #expect(InheritedSockets(listenFDs: "2", listenPID: own) == InheritedSockets(first: 3, count: 2))
        #expect(InheritedSockets(listenFDs: "2", listenPID: "1") == .none)
        #expect(InheritedSockets(listenFDs: "2", listenPID: nil) == .none)
        #expect(InheritedSockets(listenFDs: nil, listenPID: own) == .none)
        for text in ["", "-1", "x", "65536"] { #expect(InheritedSockets(listenFDs: text, listenPID: own) == .none) }
    }
}
