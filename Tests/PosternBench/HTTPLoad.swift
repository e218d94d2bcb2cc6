import CLinux
import Glibc

/// Keeps connections busy: each sends its next request as soon as it has the answer to the last.
final class HTTPLoad {
    struct Failure: Error { let what: String }

    private struct Line {
        let descriptor: Int32
        var sentAt = 0.0
        /// Bytes of the answer that are still to come.
        var missing = 0
    }

    private let epoll = postern_epoll_create(0)
    private var lines: [Line] = []
    private let requests: [[UInt8]]
    /// What the body of every answer begins with.
    private let bodyStart: [UInt8]
    private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: bufferSize + 1)
    private let events = UnsafeMutablePointer<postern_epoll_event>.allocate(capacity: eventCapacity)
    private var sent = 0
    /// Seconds from each request to the end of its answer.
    private(set) var latencies: [Double] = []

    private static let bufferSize = 262_144
    private static let eventCapacity = 512

    /// The requests are sent in turn; each answer must have a status of success and a body that begins so.
    init(_ place: ServerPlace, _ connections: Int, _ requests: [[UInt8]], bodyStart: String = "") throws {
        self.requests = requests
        self.bodyStart = Array(bodyStart.utf8)
        for number in 0..<connections {
            let descriptor = try place.connect()
            lines.append(Line(descriptor: descriptor))
            var event = postern_epoll_event(events: POSTERN_EPOLLIN, token: UInt64(number))
            guard postern_epoll_control(epoll, POSTERN_EPOLL_ADD, descriptor, &event) == 0 else {
                throw Failure(what: "epoll_ctl")
            }
        }
    }

    deinit {
        for line in lines { close(line.descriptor) }
        close(epoll)
        buffer.deallocate()
        events.deallocate()
    }

    /// Has so many requests answered in all.
    func run(_ count: Int) throws {
        let end = sent + count
        try run { sent < end }
    }

    /// Sends requests as long as `goesOn` says so, and waits for all answers.
    func run(while goesOn: () -> Bool) throws {
        var waiting = 0
        for place in lines.indices where goesOn() {
            try send(place)
            waiting += 1
        }
        while waiting > 0 {
            let ready = postern_epoll_wait(epoll, events, Int32(Self.eventCapacity), 10_000)
            guard ready > 0 else { throw Failure(what: "no answer within 10 s") }
            for index in 0..<Int(ready) {
                let place = Int(events[index].token)
                guard try receive(place) else { continue }
                waiting -= 1
                guard goesOn() else { continue }
                try send(place)
                waiting += 1
            }
        }
    }

    func forgetLatencies() { latencies.removeAll(keepingCapacity: true) }

    private func send(_ place: Int) throws {
        let request = requests[sent % requests.count]
        sent += 1
        lines[place].sentAt = Self.now()
        let count = request.withUnsafeBytes { write(lines[place].descriptor, $0.baseAddress, $0.count) }
        guard count == request.count else { throw Failure(what: "write") }
    }

    /// True when the answer is complete.
    private func receive(_ place: Int) throws -> Bool {
        let count = read(lines[place].descriptor, buffer, Self.bufferSize)
        guard count > 0 else { throw Failure(what: "the server has closed a connection") }
        if lines[place].missing == 0 { lines[place].missing = try readHead(count) }
        lines[place].missing -= count
        guard lines[place].missing <= 0 else { return false }
        latencies.append(Self.now() - lines[place].sentAt)
        return true
    }

    /// How long the answer is, whose first bytes lie in the buffer; a head is small enough to come at once.
    private func readHead(_ count: Int) throws -> Int {
        // For the functions of C; the buffer has room for one more.
        buffer[count] = 0
        let length: Int? = buffer.withMemoryRebound(to: CChar.self, capacity: count + 1) { text in
            guard buffer[9] == UInt8(ascii: "2"), let end = strstr(text, "\r\n\r\n"),
                let field = strstr(text, "Content-Length: "), field < end,
                memcmp(end + 4, bodyStart, bodyStart.count) == 0
            else { return nil }
            return end + 4 - text + Int(strtol(field + 16, nil, 10))
        }
        guard let length else {
            let text = String(decoding: UnsafeBufferPointer(start: buffer, count: min(count, 600)), as: UTF8.self)
            throw Failure(what: "a bad answer: \(text)")
        }
        return length
    }

    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
