import Glibc
import PosternBase

/// One connection that has lists of tokens verified, the next as soon as the last is answered, on a thread of its own.
final class BatchPressure: @unchecked Sendable {
    // @unchecked: the load belongs to the thread while there is one, which `end` waits for.
    private let load: HTTPLoad
    private let state = Lock((isEnding: false, count: 0, failure: String?.none))
    private var thread = pthread_t()

    init(_ place: ServerPlace, _ request: [UInt8]) throws {
        load = try HTTPLoad(place, 1, [request], bodyStart: #"{"verdicts":[{"verdict":"accepted""#)
        guard pthread_create(&thread, nil, batchPressureStart, Unmanaged.passRetained(self).toOpaque()) == 0 else {
            throw HTTPLoad.Failure(what: "pthread_create")
        }
    }

    /// How many lists were answered.
    func end() throws -> Int {
        state.withLock { $0.isEnding = true }
        pthread_join(thread, nil)
        let (_, count, failure) = state.withLock { $0 }
        if let failure { throw HTTPLoad.Failure(what: failure) }
        return count
    }

    fileprivate func run() {
        while !state.withLock({ $0.isEnding }) {
            do {
                try load.run(1)
                state.withLock { $0.count += 1 }
            } catch {
                return state.withLock { $0.failure = "\(error)" }
            }
        }
    }
}

private func batchPressureStart(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<BatchPressure>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
