import Foundation
import Glibc
import Testing

/// What becomes of the daemon when its standard streams are not what they should be.
@Suite(.onAThreadOfItsOwn) struct StandardStreamTests {
    /// A daemon whose socket is in `folder`, and whose standard streams a shell arranges.
    private func settings(_ folder: TemporaryFolder, more: String = "") throws -> String {
        let socket = folder.url.appendingPathComponent("p.sock").path
        let text = try DaemonIssuer.settings(
            DaemonIssuer.provider(in: folder), listeners: #"{"unix":"\#(socket)"}"#, more: more)
        return try folder.file(containing: Data(text.utf8), called: "settings.json").path
    }

    /// Once it answers; it may have no way to say that it listens.
    private func connect(_ daemon: DaemonProcess) throws -> SocketClient {
        var client: SocketClient?
        until {
            client = try? SocketClient(unix: daemon.socket)
            return client != nil
        }
        return try #require(client)
    }

    /// No file of the daemon gets the place of a stream that was closed.
    @Test(arguments: [[0], [1], [2], [0, 2], [1, 2], [0, 1, 2]])
    func closedStreams(closed: [Int]) throws {
        let folder = try TemporaryFolder()
        let redirections = closed.map { "\($0)>&-" }.joined(separator: " ")
        let script = #"exec "$0" serve --config "$1" \#(redirections)"#
        let daemon = try DaemonProcess(
            command: ["/bin/sh", "-c", script, Invocation.program.path, settings(folder)], in: folder)
        let client = try connect(daemon)
        #expect(try client.ask("GET", "/health/live").status == 200)
        for stream in closed {
            let link = "/proc/\(daemon.identifier)/fd/\(stream)"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
        }
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
    }

    /// Nobody reads what it says: it serves all the same, and ends.
    @Test func aReaderOfTheLogThatIsStuck() throws {
        let folder = try TemporaryFolder()
        // The pipe is full before the daemon says a word, and the shell keeps it open for reading.
        let script = """
            mkfifo "$2" && exec 3<>"$2" && dd if=/dev/zero of=/proc/self/fd/3 bs=4096 count=64 oflag=nonblock 2>/dev/null
            exec "$0" serve --config "$1" 2>&3
            """
        let limits = #""limits":{"connections_per_peer":2,"connections":64}"#
        let fifo = folder.url.appendingPathComponent("log").path
        let daemon = try DaemonProcess(
            command: ["/bin/sh", "-c", script, Invocation.program.path, settings(folder, more: limits), fifo],
            in: folder)
        do {
            let clients = try (0..<2).map { _ in try connect(daemon) }
            for client in clients { #expect(try client.ask("GET", "/health/live").status == 200) }
            for _ in 0..<3 { #expect(try SocketClient(unix: daemon.socket).reply().status == 429) }
            for client in clients { #expect(try client.ask("GET", "/health/live").status == 200) }
        }
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
    }

    /// More lines than there is room for: no answer waits for them, metrics count those that are lost, and once somebody reads it is
    /// told how many they were.
    @Test func linesThatNobodyReadsAreCounted() throws {
        let folder = try TemporaryFolder()
        let script = #"mkfifo "$2" && exec 3<>"$2" && exec "$0" serve --config "$1" 2>&3"#
        let more = #""log":{"requests":"all"}"#
        let fifo = folder.url.appendingPathComponent("log").path
        let daemon = try DaemonProcess(
            command: ["/bin/sh", "-c", script, Invocation.program.path, settings(folder, more: more), fifo],
            in: folder)
        let client = try connect(daemon)
        let request = "GET /health/live HTTP/1.1\r\nHost: p\r\n\r\n"
        func lost() throws -> Int {
            let page = String(decoding: try client.ask("GET", "/metrics").body, as: UTF8.self)
            let line = page.split(separator: "\n").first { $0.hasPrefix("postern_log_lines_lost_total ") }
            return line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
        }
        #expect(try lost() == 0)
        // A line has more than 150 bytes; 262,144 may wait, and a pipe has 65,536.
        for _ in 0..<60 {
            try client.write(String(repeating: request, count: 50))
            for _ in 0..<50 { #expect(try client.reply().status == 200) }
        }
        #expect(try lost() > 0)
        let log = DaemonLog()
        log.read(try #require(FileHandle(forReadingAtPath: fifo)))
        let told = log.wait { lines in lines.first { $0.contains(#""log_lines_lost""#) } }
        #expect(told?.contains(#""count":"#) == true)
        daemon.signal(SIGTERM)
        #expect(daemon.end() == 0)
    }
}
