/// What threads have to do, in the order in which it came, and no more than so much of it.
final class WorkQueue<Work>: @unchecked Sendable {
    // @unchecked: what changes is behind `monitor`.
    enum Answer { case taken, full, closed }

    private let monitor = Monitor()
    private let capacity: Int
    private var works: [Work?] = []
    /// Where the first lies that nobody has taken; those before it are nil.
    private var first = 0
    private var idleThreads = 0
    private var isClosed = false

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    func put(_ work: Work) -> Answer {
        monitor.withLock {
            if isClosed { return .closed }
            guard works.count - first < capacity else { return .full }
            works.append(work)
            if idleThreads > 0 { monitor.tellOne() }
            return .taken
        }
    }

    /// Waits until there is something, and takes up to `count` of it; nothing once the queue is closed and empty.
    func take(upTo count: Int) -> [Work] {
        monitor.withLock {
            while first == works.count, !isClosed {
                idleThreads += 1
                monitor.wait()
                idleThreads -= 1
            }
            let end = min(works.count, first + max(count, 1))
            let taken = works[first..<end].compactMap(\.self)
            // What was done is not held until others are.
            for place in first..<end { works[place] = nil }
            first = end
            if first == works.count {
                works.removeAll(keepingCapacity: works.capacity <= 4 * capacity)
                first = 0
            } else if first > capacity {
                works.removeFirst(first)
                first = 0
            }
            return taken
        }
    }

    var count: Int { monitor.withLock { works.count - first } }

    /// Takes nothing more; what is there is still given out.
    func close() {
        monitor.withLock {
            isClosed = true
            monitor.tellAll()
        }
    }
}
