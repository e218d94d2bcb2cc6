internal import Glibc
internal import PosternBase

/// Who started the daemon and wants to hear how it is, such as systemd (sd_notify(3)): each word to it is one datagram.
///
/// What cannot be sent is lost, as the protocol has it: the daemon serves on.
struct ServiceManager: Sendable {
    /// A path, or a name of the abstract kind with a NUL before it.
    private let address: [UInt8]
    /// Within this time it wants to hear that the daemon is alive; nil when it does not.
    let watchdog: Duration?

    /// Nil when nobody listens (`NOTIFY_SOCKET`), or in a way that there is none for here.
    init?(environment variable: (String) -> String?) {
        guard let name = variable("NOTIFY_SOCKET"), !name.isEmpty else { return nil }
        guard let address = Self.address(name) else {
            EventLog.write(.managerNotTold, [("message", "NOTIFY_SOCKET is no Unix socket")])
            return nil
        }
        self.address = address
        watchdog = Self.watchdog(variable)
    }

    private static func address(_ name: String) -> [UInt8]? {
        var bytes = Array(name.utf8)
        guard bytes.count < Self.nameCapacity else { return nil }
        switch bytes.first {
        case UInt8(ascii: "/"): bytes.append(0)
        case UInt8(ascii: "@") where bytes.count > 1: bytes[0] = 0
        default: return nil
        }
        return bytes
    }

    private static let nameCapacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    /// `WATCHDOG_USEC`, unless it is meant for another process.
    private static func watchdog(_ variable: (String) -> String?) -> Duration? {
        guard let text = variable("WATCHDOG_USEC"), let microseconds = DecimalDigits.value(of: text), microseconds > 0
        else { return nil }
        if let process = variable("WATCHDOG_PID"), DecimalDigits.value(of: process) != Int64(getpid()) { return nil }
        return .microseconds(microseconds)
    }

    /// It serves; `status` is for people, on one line.
    func tellReady(_ status: String = "Serving") { send("READY=1\nSTATUS=\(status)\nMAINPID=\(getpid())") }

    /// It reads its settings anew; `tellReady` follows.
    func tellReloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
    }

    /// It ends.
    func tellStopping() { send("STOPPING=1\nSTATUS=Answering the requests in flight") }

    /// Tells that the daemon is alive for as long as `pulse` comes back, at half the time that there is; until cancelled.
    func keepTelling(after pulse: @Sendable () async -> Void) async {
        guard let watchdog else { return }
        while !Task.isCancelled {
            await pulse()
            send("WATCHDOG=1")
            try? await Task.sleep(for: watchdog / 2)
        }
    }

    private func send(_ words: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: address) }
        let length = socklen_t((MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2) + address.count)
        let words = Array(words.utf8)
        withUnsafePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                _ = sendto(descriptor, words, words.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), place, length)
            }
        }
    }
}
