import Glibc
import PosternBase

/// A load on a thread of its own, until it is ended.
final class BackgroundLoad: @unchecked Sendable {
    // @unchecked: the load belongs to the thread while there is one, which `end` waits for.
    private let load: HTTPLoad
    private let state = Lock((isEnding: false, failure: String?.none))
    private var thread = pthread_t()

    init(_ load: HTTPLoad) throws {
        self.load = load
        guard pthread_create(&thread, nil, backgroundLoadStart, Unmanaged.passRetained(self).toOpaque()) == 0 else {
            throw HTTPLoad.Failure(what: "pthread_create")
        }
    }

    /// How much was answered.
    func end() throws -> Int {
        state.withLock { $0.isEnding = true }
        pthread_join(thread, nil)
        if let failure = state.withLock({ $0.failure }) { throw HTTPLoad.Failure(what: failure) }
        return load.latencies.count
    }

    fileprivate func run() {
        do {
            try load.run { !state.withLock { $0.isEnding } }
        } catch {
            state.withLock { $0.failure = "\(error)" }
        }
    }
}

private func backgroundLoadStart(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<BackgroundLoad>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
