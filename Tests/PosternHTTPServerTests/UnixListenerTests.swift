import Glibc
import PosternHTTP
import PosternHTTPServer
import Testing

@Suite struct UnixListenerTests {
    private func withFolder(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        try await TestServer.onThread {
            let folder = try TestServer.makeFolder()
            defer { TestServer.remove(folder) }
            try await body(folder)
        }
    }

    private func server(_ socket: UnixSocket) -> HTTPServer {
        HTTPServer(listeners: [.unix(socket)], threads: 1, responder: EchoResponder())
    }

    private func failure(_ socket: UnixSocket) -> ServerError? {
        do throws(ServerError) {
            try server(socket).start()
            return nil
        } catch {
            return error
        }
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    private func answers(_ path: String) throws -> Bool {
        let wire = try Wire(path: path)
        wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return wire.answer()?.status == 200
    }

    @Test(arguments: [UInt32(0o600), 0o660, 0o770, 0o200])
    func theFileHasTheModeAndGoesWithTheServer(mode: UInt32) async throws {
        try await withFolder { folder in
            let server = server(UnixSocket(path: folder + "/s", mode: mode, owner: getuid(), group: getgid()))
            try server.start()
            #expect(self.mode(folder + "/s") == mode_t(mode))
            #expect(self.mode(folder + "/s.lock") == 0o600)
            #expect(try answers(folder + "/s"))
            await server.stop()
            #expect(self.mode(folder + "/s") == nil)
            #expect(self.mode(folder + "/s.lock") == nil)
        }
    }

    @Test func besideALiveServerThereIsNoOther() async throws {
        try await withFolder { folder in
            let first = server(UnixSocket(path: folder + "/s"))
            try first.start()
            #expect(failure(UnixSocket(path: folder + "/s"))?.code == .inUse)
            // The loser has taken nothing away.
            #expect(try answers(folder + "/s"))
            await first.stop()
            let second = server(UnixSocket(path: folder + "/s"))
            try second.start()
            #expect(try answers(folder + "/s"))
            await second.stop()
        }
    }

    /// Of many that begin at once one serves. Each that ends makes room for another.
    @Test func aRaceHasOneWinner() async throws {
        try await withFolder { folder in
            for _ in 0..<20 {
                let servers = (0..<8).map { _ in server(UnixSocket(path: folder + "/s")) }
                #expect(await startAll(servers) == 1)
                let isServed = try answers(folder + "/s")
                #expect(isServed)
                for server in servers { await server.stop() }
            }
        }
    }

    /// How many started, or failed for another reason than that there was one already.
    private func startAll(_ servers: [HTTPServer]) async -> Int {
        await withTaskGroup(of: ServerError?.self) { group in
            for server in servers {
                group.addTask {
                    do throws(ServerError) {
                        try server.start()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1?.code == .inUse ? 0 : 1) }
        }
    }

    /// What is left of a process that was killed: a file that nobody listens on and a lock file that nobody holds.
    @Test func aStaleSocketIsTakenOver() async throws {
        try await withFolder { folder in
            try Self.bind(folder + "/s", listens: false)
            close(open(folder + "/s.lock", O_CREAT | O_RDWR, 0o600))
            let server = server(UnixSocket(path: folder + "/s"))
            try server.start()
            #expect(try answers(folder + "/s"))
            await server.stop()
        }
    }

    @Test func anotherProgramsSocketIsNotTakenOver() async throws {
        try await withFolder { folder in
            let other = try Self.bind(folder + "/s", listens: true)
            defer { close(other) }
            #expect(failure(UnixSocket(path: folder + "/s"))?.code == .inUse)
            #expect(mode(folder + "/s") != nil)
            #expect(mode(folder + "/s.lock") == nil)
        }
    }

    @Test func aFileThatIsNoSocketStays() async throws {
        try await withFolder { folder in
            close(open(folder + "/s", O_CREAT | O_RDWR, 0o600))
            #expect(failure(UnixSocket(path: folder + "/s"))?.code == .inUse)
            #expect(mode(folder + "/s") == 0o600)
        }
    }

    @Test func aSocketThatWasReplacedStays() async throws {
        try await withFolder { folder in
            let server = server(UnixSocket(path: folder + "/s"))
            try server.start()
            unlink(folder + "/s")
            let other = try Self.bind(folder + "/s", listens: true)
            defer { close(other) }
            await server.stop()
            #expect(mode(folder + "/s") != nil)
        }
    }

    @Test func whatEverybodyMayWriteToIsRefused() async throws {
        try await withFolder { folder in
            for mode in [UInt32(0o666), 0o777, 0o602] {
                #expect(failure(UnixSocket(path: folder + "/s", mode: mode))?.code == .unsafe)
            }
            chmod(folder, 0o777)
            #expect(failure(UnixSocket(path: folder + "/s"))?.code == .unsafe)
            #expect(mode(folder + "/s.lock") == nil)
            // With the sticky bit nobody else can replace the file, but while there is none they can make theirs.
            chmod(folder, 0o1777)
            #expect(failure(UnixSocket(path: folder + "/s"))?.code == .unsafe)
        }
    }

    @Test func pathsMustFit() async throws {
        try await withFolder { folder in
            let longest = folder + "/" + String(repeating: "s", count: 106 - folder.utf8.count)
            let server = server(UnixSocket(path: longest))
            try server.start()
            await server.stop()
            #expect(failure(UnixSocket(path: longest + "s"))?.code == .invalid)
            #expect(failure(UnixSocket(path: ""))?.code == .invalid)
            #expect(failure(UnixSocket(path: folder + "/a\0b"))?.code == .invalid)
            #expect(failure(UnixSocket(path: folder + "/none/s"))?.code == .system)
            unlink(longest + ".lock")
        }
    }

    /// Nobody else's lock file is followed to another place.
    @Test func aLinkIsNoLock() async throws {
        try await withFolder { folder in
            symlink(folder + "/t", folder + "/s.lock")
            #expect(failure(UnixSocket(path: folder + "/s"))?.code == .system)
            #expect(mode(folder + "/t") == nil)
        }
    }

    @discardableResult
    static func bind(_ path: String, listens: Bool) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.bind(descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard result == 0 else { throw Wire.Failure(call: "bind", number: errno) }
        if listens { listen(descriptor, 8) } else { close(descriptor) }
        return descriptor
    }
}
