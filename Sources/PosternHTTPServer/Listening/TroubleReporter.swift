internal import PosternLoop

/// Something that keeps callers out, told to whoever runs the server.
package struct ServerTrouble: Sendable, Equatable {
    package enum Kind: Sendable, Hashable {
        /// Connections were refused because there were too many, in all or of one peer.
        case tooManyConnections
        /// Connections of peers that may not come in.
        case peerNotAllowed
        /// Connections could not be taken: the number of the system's error.
        case acceptFailed(Int32)
    }

    package let kind: Kind
    /// The place of the listener.
    package let listener: Int
    /// How often since it was last told.
    package let count: Int
}

/// Tells of troubles at once, and then at most every few seconds how often they came back. On the first loop's thread only.
final class TroubleReporter: LoopSource, @unchecked Sendable {
    // @unchecked: handed to its loop once, and used there alone.

    private struct Key: Hashable {
        let kind: ServerTrouble.Kind
        let listener: Int
    }

    /// How long the same trouble is only counted after it was told.
    static let pause = Duration.seconds(10)

    private let loop: EventLoop
    private let tell: (@Sendable (ServerTrouble) -> Void)?
    private var token: LoopToken?
    /// What was told within the pause, and how often it came since.
    private var counts: [Key: Int] = [:]
    private var isPausing = false

    init(_ loop: EventLoop, _ tell: (@Sendable (ServerTrouble) -> Void)?) {
        self.loop = loop
        self.tell = tell
    }

    func note(_ kind: ServerTrouble.Kind, listener: Int) {
        guard let tell else { return }
        let key = Key(kind: kind, listener: listener)
        if let count = counts[key] {
            counts[key] = count + 1
            return
        }
        counts[key] = 0
        tell(ServerTrouble(kind: kind, listener: listener, count: 1))
        if token == nil { token = try? loop.add(nil, [], self) }
        guard !isPausing, let token else { return }
        isPausing = true
        loop.setDeadline(token, loop.now.advanced(by: Self.pause))
    }

    /// The pause is over: what came within it is told, and another begins for that; what did not come back is forgotten.
    func timeIsUp() {
        isPausing = false
        let (present, came) = (counts, counts.contains { $0.value > 0 })
        counts = present.filter { $0.value > 0 }.mapValues { _ in 0 }
        tellCounts(present)
        guard came, let token else { return }
        isPausing = true
        loop.setDeadline(token, loop.now.advanced(by: Self.pause))
    }

    /// The server ends: what was only counted is told.
    func end() {
        tellCounts(counts)
        counts = [:]
        if let token { loop.remove(token) }
        token = nil
    }

    private func tellCounts(_ counts: [Key: Int]) {
        for (key, count) in counts where count > 0 {
            tell?(ServerTrouble(kind: key.kind, listener: key.listener, count: count))
        }
    }

    func ready(_ events: LoopEvents) {}
}
