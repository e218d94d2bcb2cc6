import Glibc
import PosternHTTP
import PosternLoop
import Testing

@testable import PosternHTTPServer

@Suite struct AcceptorTests {
    /// A listener that the loop cannot watch is told at the start: nobody would ever be accepted.
    @Test func whatCannotBeWatchedIsTold() throws {
        let loop = try EventLoop(name: "test")
        let settings = HTTPServer.Settings(
            listeners: [], limits: ServerLimits(), deadlines: ServerDeadlines(), threads: 1, inherited: .none,
            responder: EchoResponder(), observer: nil)
        let worker = Worker(
            loop, settings, ConnectionGate(settings.limits, listeners: 1),
            RequestBuffers(settings.limits, listeners: 1))
        // epoll takes no regular files.
        let file = ListeningSocket(open("/proc/self/exe", O_RDONLY), port: nil, isLocal: true)
        let acceptor = Acceptor(file, at: 0, [worker], TroubleReporter(loop, nil), loop)
        #expect(throws: LoopError.self) { try acceptor.begin() }
    }

    /// Who connected before the file went is still there to be taken, and nobody comes after that.
    @Test func theFileGoesFirst() throws {
        let folder = try TestServer.makeFolder()
        defer { TestServer.remove(folder) }
        let path = folder + "/s"
        let socket = try ListeningSocket.open(.unix(UnixSocket(path: path)), at: 0, inherited: .none)
        let early = try Wire(path: path)
        socket.hide()
        #expect(throws: Wire.Failure.self) { try Wire(path: path) }
        // The lock is still held.
        #expect(throws: ServerError.self) {
            try ListeningSocket.open(.unix(UnixSocket(path: path)), at: 0, inherited: .none)
        }
        let (descriptor, _) = SocketCall.accept(socket.descriptor)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(early.endedWell)
        socket.stop()
        let next = try ListeningSocket.open(.unix(UnixSocket(path: path)), at: 0, inherited: .none)
        next.stop()
    }
}
