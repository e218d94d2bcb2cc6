internal import CCurl
internal import Glibc
internal import PosternBase
internal import PosternHTTP

/// The door between the tasks that ask and the one thread that owns libcurl's multi handle.
///
/// One thread for all requests rather than a worker for each: libcurl does not block, so sixteen transfers need no
/// sixteen stacks, connections are shared without locks, and a cancelled request is ended between two steps instead of
/// in the middle of a blocking call.
final class TransferLoop: Sendable {
    typealias Continuation = CheckedContinuation<Result<HTTP.Response, HTTP.ClientError>, Never>

    /// A request and who waits for its end. From `submit` on the thread alone holds it, so it is resumed exactly once.
    struct Waiting {
        let exchange: Exchange
        let continuation: Continuation
    }

    /// What the thread is told.
    struct Inbox {
        var arrivals: [Waiting] = []
        var cancelled: [Exchange] = []
        /// Requests that were submitted and are not over.
        var outstanding = 0
        var isClosing = false
        var thread: pthread_t?
        /// Here only to be woken; nil when no thread uses it.
        var multi: UnsafeMutableRawPointer?
    }

    let settings: CheckedSettings
    private let inbox = Lock(Inbox())

    init(_ settings: CheckedSettings) { self.settings = settings }

    /// Hands a request over; starts the thread when there is none.
    func submit(_ exchange: Exchange, _ continuation: Continuation) {
        let refusal: HTTP.ClientError? = inbox.withLock { inbox in
            // Who was cancelled before has left no other trace than this: `cancel` found nothing to end.
            if exchange.isCancelled { return .leftByTask }
            if inbox.outstanding >= settings.values.concurrentRequests + settings.values.waitingRequests {
                return HTTP.ClientError(.failed, "Too many requests wait already; try again later.")
            }
            if let fault = start(&inbox) { return fault }
            inbox.outstanding += 1
            inbox.arrivals.append(Waiting(exchange: exchange, continuation: continuation))
            Self.wake(inbox)
            return nil
        }
        if let refusal { continuation.resume(returning: .failure(refusal)) }
    }

    /// Ends the request soon if it is not over, and keeps it from starting if it has not been submitted.
    func cancel(_ exchange: Exchange) {
        exchange.cancel()
        inbox.withLock { inbox in
            guard inbox.multi != nil else { return }
            inbox.cancelled.append(exchange)
            Self.wake(inbox)
        }
    }

    /// Ends the thread and waits for that, so that nothing of libcurl runs any more when the process goes on to exit.
    func close() {
        let thread = inbox.withLock { inbox in
            inbox.isClosing = true
            Self.wake(inbox)
            return inbox.thread.take()
        }
        guard let thread else { return }
        // Nothing in the thread holds a client, but a thread that waits for itself would never end.
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    /// What has come since the last call.
    func takeInbox() -> (arrivals: [Waiting], cancelled: [Exchange], isClosing: Bool) {
        inbox.withLock { inbox in
            defer {
                inbox.arrivals = []
                inbox.cancelled = []
            }
            return (inbox.arrivals, inbox.cancelled, inbox.isClosing)
        }
    }

    /// Answers one who waits. The thread has let go of everything of the request before.
    func finish(_ waiting: Waiting, _ result: Result<HTTP.Response, HTTP.ClientError>) {
        inbox.withLock { $0.outstanding -= 1 }
        waiting.continuation.resume(returning: result)
    }

    /// The thread is about to end: nobody may wake it any more. Returns who came too late for it.
    ///
    /// Unless the client goes away, the next request starts another thread: libcurl may have been out of memory for a moment.
    func retire() -> [Waiting] {
        inbox.withLock { inbox in
            inbox.multi = nil
            if !inbox.isClosing, let thread = inbox.thread.take() { pthread_detach(thread) }
            defer { inbox.arrivals = [] }
            return inbox.arrivals
        }
    }

    private static func wake(_ inbox: borrowing Inbox) {
        if let multi = inbox.multi { curl_multi_wakeup(multi) }
    }

    private func start(_ inbox: inout Inbox) -> HTTP.ClientError? {
        guard inbox.multi == nil else { return nil }
        if inbox.isClosing { return HTTP.ClientError(.failed, "The client has ended.") }
        if let fault = CurlLibrary.fault { return HTTP.ClientError(.failed, "The client cannot work: \(fault).") }
        guard let multi = curl_multi_init() else {
            return HTTP.ClientError(.failed, "libcurl could not make its multi handle; is there memory left?")
        }
        let arguments = Unmanaged.passRetained(TransferThread(self, multi))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, transferThreadStart, arguments.toOpaque()) == 0 else {
            arguments.release()
            curl_multi_cleanup(multi)
            return HTTP.ClientError(.failed, "The client's thread could not be started.")
        }
        inbox.thread = thread
        inbox.multi = multi
        return nil
    }
}

extension HTTP.ClientError {
    static let leftByTask = HTTP.ClientError(.cancelled, "The task that asked was cancelled.")
}

/// A function of the file, for the reason that stands in `Transfer+Callbacks.swift`.
private func transferThreadStart(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<TransferThread>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
