internal import PosternAccounts
internal import PosternBase

/// Lets many threads work at once, or one alone.
final class Gate: @unchecked Sendable {
    // @unchecked: what changes is behind `monitor`.
    private let monitor = Monitor()
    private var inside = 0
    private var isShut = false

    func within<Outcome>(_ body: () throws(StoreFault) -> Outcome) throws(StoreFault) -> Outcome {
        monitor.withLock {
            while isShut { monitor.wait() }
            inside += 1
        }
        defer {
            monitor.withLock {
                inside -= 1
                if inside == 0 { monitor.tellAll() }
            }
        }
        return try body()
    }

    /// Waits until nobody is within, and lets nobody in meanwhile. For who is not within.
    func alone<Outcome>(_ body: () throws(StoreFault) -> Outcome) throws(StoreFault) -> Outcome {
        monitor.withLock {
            while isShut { monitor.wait() }
            isShut = true
            while inside > 0 { monitor.wait() }
        }
        defer {
            monitor.withLock {
                isShut = false
                monitor.tellAll()
            }
        }
        return try body()
    }
}

/// A connection that its thread uses within the gate, so that whoever is alone may use and close it.
final class GatedConnection: @unchecked Sendable {
    // @unchecked: the gate says who may touch it.
    private(set) var database: Database?
    /// How many connections of the store are open.
    private let count: RelaxedCounter

    init(_ count: RelaxedCounter) { self.count = count }

    func hold(_ database: Database) {
        self.database = database
        count.add()
    }

    func close() {
        guard database != nil else { return }
        database = nil
        count.add(-1)
    }
}
