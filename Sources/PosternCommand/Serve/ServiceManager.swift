internal import Glibc
internal import PosternBase

/// Who started the daemon and wants to hear how it is, such as systemd (sd_notify(3)): each word to it is one datagram.
struct ServiceManager: Sendable {
    private let socket: NotifySocket
    /// Within this time it wants to hear that the daemon is alive; nil when it does not.
    let watchdog: Duration?

    /// Nil when nobody listens (`NOTIFY_SOCKET`), or in a way that there is none for here.
    init?(environment variable: (String) -> String?) {
        guard let name = variable("NOTIFY_SOCKET"), !name.isEmpty else { return nil }
        guard let socket = NotifySocket(name) else {
            EventLog.write(.managerNotTold, [("message", "NOTIFY_SOCKET is no Unix socket")])
            return nil
        }
        self.socket = socket
        watchdog = Self.watchdog(variable)
    }

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
            socket.send(Array("WATCHDOG=1".utf8), once: true)
            try? await Task.sleep(for: watchdog / 2)
        }
    }

    private func send(_ words: String) { socket.send(Array(words.utf8)) }
}
