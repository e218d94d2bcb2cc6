internal import Glibc
internal import PosternBase
internal import PosternHTTP

/// One GET to a daemon of this machine, on a connection of its own.
enum LocalQuestion {
    struct Answer: Sendable {
        let status: Int
        let mediaType: String
        let body: [UInt8]

        var isHealth: Bool { mediaType.hasPrefix("application/health+json") }

        /// Whether it is a problem with that code.
        func isProblem(_ code: String) -> Bool {
            mediaType.hasPrefix("application/problem+json")
                && (try? JSONDocument(body))?.root["code"]?.stringEquals(code) == true
        }
    }

    enum Result: Sendable {
        /// Nobody listens there.
        case nobody
        /// The system does not let this user connect.
        case forbidden
        /// It cannot be asked, for another reason of the system's.
        case failed(Int32)
        /// Nothing whole came within the time.
        case silent
        case answer(Answer)
    }

    private static let patience: Duration = .seconds(3)
    private static let largestAnswer = 65_536

    static func ask(_ place: LocalPlace, _ path: String) -> Result {
        let descriptor = place.makeSocket()
        guard descriptor >= 0 else { return .failed(errno) }
        defer { close(descriptor) }
        let end = MonotonicTimeSource.system.now() + patience
        if let failure = connect(descriptor, place, end) { return failure }
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        // A daemon that says no at once may have closed already, and what it said is still to be read.
        _ = request.withCString { send(descriptor, $0, request.utf8.count, Int32(MSG_NOSIGNAL)) }
        return parse(read(descriptor, end)).map { .answer($0) } ?? .silent
    }

    /// Nil once connected.
    private static func connect(_ descriptor: Int32, _ place: LocalPlace, _ end: Duration) -> Result? {
        var failure = place.connect(descriptor)
        if failure == EINPROGRESS {
            guard wait(descriptor, POLLOUT, end) else { return .silent }
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length)
        }
        switch failure {
        case 0: return nil
        case ECONNREFUSED, ENOENT: return .nobody
        case EACCES, EPERM: return .forbidden
        // As many wait to be accepted as can.
        case EAGAIN: return .silent
        default: return .failed(failure)
        }
    }

    private static func wait(_ descriptor: Int32, _ event: Int32, _ end: Duration) -> Bool {
        let left = end - MonotonicTimeSource.system.now()
        guard left > .zero else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&entry, 1, Int32(clamping: left.milliseconds + 1)) > 0
    }

    /// What comes until the other side ends it, or the time is up.
    private static func read(_ descriptor: Int32, _ end: Duration) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < largestAnswer, wait(descriptor, Int32(POLLIN), end) {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count > 0 { bytes += chunk[..<count] }
            if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { break }
        }
        return bytes
    }

    // MARK: - The answer

    /// Nil when nothing came; what is no whole head of HTTP has the status 0.
    static func parse(_ bytes: [UInt8]) -> Answer? {
        guard !bytes.isEmpty else { return nil }
        guard bytes.starts(with: "HTTP/1.1 ".utf8), let end = endOfHead(bytes) else {
            return Answer(status: 0, mediaType: "", body: [])
        }
        let status = Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
        return Answer(status: status, mediaType: mediaType(bytes[..<end]), body: Array(bytes[(end + 4)...]))
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        return bytes.indices.dropLast(mark.count - 1).first { bytes[$0...].starts(with: mark) }
    }

    private static func mediaType(_ head: ArraySlice<UInt8>) -> String {
        let name = Array("content-type:".utf8)
        for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard line.prefix(name.count).elementsEqual(name, by: { ASCIICase.folded($0) == $1 }) else { continue }
            return String(decoding: line.dropFirst(name.count).drop { $0 == 0x20 }, as: UTF8.self)
        }
        return ""
    }
}
