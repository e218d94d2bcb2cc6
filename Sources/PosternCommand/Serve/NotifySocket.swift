internal import Glibc
internal import PosternBase

/// Where a service manager takes datagrams. Nobody waits for it: what it has no room for is sent again, in order, until it has. What
/// cannot be sent for another reason is lost, as the protocol has it: the daemon serves on.
final class NotifySocket: Sendable {
    private struct State {
        var waiting: [[UInt8]] = []
        var isRetrying = false
        /// Why something was not sent the last time.
        var trouble: Int32 = 0
    }

    /// More that waits is old news: the first of it goes.
    private static let most = 8
    private static let pause = Duration.milliseconds(100)

    /// A path, or a name of the abstract kind with a NUL before it.
    private let address: [UInt8]
    private let state = Lock(State())

    /// nil for a name that no Unix socket has.
    init?(_ name: String) {
        var bytes = Array(name.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        switch bytes.first {
        case UInt8(ascii: "/"): bytes.append(0)
        case UInt8(ascii: "@") where bytes.count > 1: bytes[0] = 0
        default: return nil
        }
        address = bytes
    }

    /// `once`: what need not be said again while it waits.
    func send(_ words: [UInt8], once: Bool = false) {
        let (begins, news) = state.withLock { state -> (Bool, Int32) in
            if !once || !state.waiting.contains(words) { state.waiting.append(words) }
            if state.waiting.count > Self.most { state.waiting.removeFirst() }
            guard !state.isRetrying else { return (false, 0) }
            let news = sendWaiting(&state)
            return (state.isRetrying, news)
        }
        tell(news)
        // The task holds the socket until all is said.
        if begins { Task.detached { await self.retry() } }
    }

    private func retry() async {
        while state.withLock({ $0.isRetrying }) {
            try? await Task.sleep(for: Self.pause)
            tell(state.withLock { sendWaiting(&$0) })
        }
    }

    /// Sends what waits, up to the first for which there is no room; why something was not sent, where that is news.
    private func sendWaiting(_ state: inout State) -> Int32 {
        var trouble: Int32 = 0
        state.isRetrying = false
        while !state.isRetrying, let next = state.waiting.first {
            let failure = attempt(next)
            if failure != 0 { trouble = failure }
            state.isRetrying = Self.isFull(failure)
            if !state.isRetrying { state.waiting.removeFirst() }
        }
        defer { state.trouble = trouble }
        return trouble == state.trouble ? 0 : trouble
    }

    private static func isFull(_ error: Int32) -> Bool { [EAGAIN, ENOBUFS].contains(error) }

    private func tell(_ trouble: Int32) {
        guard trouble != 0 else { return }
        let message =
            Self.isFull(trouble)
            ? "NOTIFY_SOCKET is full, and nobody reads it"
            : "NOTIFY_SOCKET: \(StandardStreams.explanation(of: trouble))"
        EventLog.write(.managerNotTold, [("message", .text(message, from: .system))])
    }

    /// 0, or the error number.
    private func attempt(_ words: [UInt8]) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: address) }
        let length = socklen_t((MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2) + address.count)
        let sent = withUnsafePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                sendto(descriptor, words, words.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), place, length)
            }
        }
        return sent >= 0 ? 0 : errno
    }
}
