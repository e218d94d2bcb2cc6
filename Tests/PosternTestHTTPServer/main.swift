import Glibc
import PosternBase
import PosternHTTP
import PosternHTTPServer

// A server in a process of its own, so that a test can kill it or leave it few descriptors: PATH DESCRIPTORS
// [CYCLES]. Starts and ends so many servers before the one that serves. Says that it is ready by a byte; ends in good order when its input does, and then tells the failures to take a connection, and how
// many of them an observer was told of.

guard CommandLine.arguments.count >= 3, let descriptors = UInt(CommandLine.arguments[2]) else { exit(64) }
var limit = rlimit(rlim_cur: descriptors, rlim_max: descriptors)
guard setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { exit(1) }

struct Fixed: HTTPResponder {
    func respond(to request: ReceivedRequest) async -> HTTP.Response { HTTP.Response(status: 200) }
}

let told = Lock(0)

func started() -> HTTPServer {
    let server = HTTPServer(
        listeners: [.unix(UnixSocket(path: CommandLine.arguments[1])), .tcp(address: "127.0.0.1", port: 0)],
        threads: 2,
        responder: Fixed(),
        observer: { trouble in
            if case .acceptFailed(EMFILE) = trouble.kind { told.withLock { $0 += trouble.count } }
        }
    )
    do {
        try server.start()
    } catch {
        print(error.message)
        exit(2)
    }
    return server
}

for _ in 0..<(CommandLine.arguments.count > 3 ? Int(CommandLine.arguments[3]) ?? 0 : 0) {
    await started().drain(deadline: .seconds(1))
}
let server = started()
_ = write(STDOUT_FILENO, ".", 1)
var byte: UInt8 = 0
while read(STDIN_FILENO, &byte, 1) > 0 {}
await server.drain(deadline: .seconds(20))
print(server.statistics.acceptFailures, told.withLock { $0 })
