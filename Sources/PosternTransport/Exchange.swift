internal import Glibc
internal import PosternBase
internal import PosternHTTP

/// One request that may be sent, with the time by which it must be over.
final class Exchange: Sendable {
    let request: HTTP.Request
    let target: TargetURL
    /// Nanoseconds of the monotonic clock.
    let deadline: UInt64
    private let cancelled = Lock(false)

    /// Fields that say where a message goes or where it ends; a second opinion on these is how requests are smuggled.
    private static let ownFields = [
        "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer",
        "Upgrade", "Expect", "HTTP2-Settings",
    ]

    init(_ request: HTTP.Request, _ settings: CheckedSettings) throws(HTTP.ClientError) {
        deadline = Monotonic.now() + UInt64(settings.totalMilliseconds) * 1_000_000
        do {
            target = try TargetURL(request.url)
        } catch {
            throw HTTP.ClientError(.urlRefused, "The URL is refused: \(error.message).")
        }
        guard target.scheme == .https || target.isLoopbackLiteral && settings.values.allowsInsecureLoopback else {
            let reason = "http is for 127.0.0.0/8 and [::1] only, and only where insecure loopback is allowed"
            throw HTTP.ClientError(.urlRefused, "The URL of \(target.host) is refused: \(reason). Use https.")
        }
        guard request.method == .post || request.body.isEmpty else {
            throw HTTP.ClientError(.failed, "A GET has no body: send a POST, or leave the body out.")
        }
        if let own = Self.ownFields.first(where: { !request.fields.values($0).isEmpty }) {
            throw HTTP.ClientError(.failed, "The client sets the field \(own) itself: leave it out.")
        }
        self.request = request
    }

    var isCancelled: Bool { cancelled.withLock { $0 } }

    func cancel() { cancelled.withLock { $0 = true } }
}

/// The clock that libcurl uses too; it stands still while the machine sleeps, as connections do.
enum Monotonic {
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Milliseconds until `deadline`, rounded up; 0 when it has passed.
    static func milliseconds(until deadline: UInt64, from now: UInt64) -> Int {
        deadline <= now ? 0 : Int((deadline - now + 999_999) / 1_000_000)
    }
}
