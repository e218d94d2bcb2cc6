internal import Glibc
internal import PosternBase
internal import PosternHTTP
internal import PosternLoop

/// The connections of one loop, and what they share.
final class Worker: @unchecked Sendable {
    // @unchecked: all that changes is touched on the loop's thread alone, but for what is counted.

    /// Bytes read or written at once.
    static let pieceSize = 65_536

    let loop: EventLoop
    let limits: ServerLimits
    let spans: Spans
    let gate: ConnectionGate
    let buffers: RequestBuffers
    let responder: any HTTPResponder
    private let statistics: Lock<ServerStatistics>
    // Apart from the others, since each request changes them.
    let requests = RelaxedCounter()
    let requestsInFlight = RelaxedCounter()
    /// Where every connection reads to; what it cannot use at once it copies.
    let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: pieceSize)
    // No access to the next ones lasts while another begins.

    /// Where the connection whose turn it is collects its answers.
    @exclusivity(unchecked)
    var output: [UInt8] = []
    /// Answers of other connections that go out together: who waits for several is woken once.
    @exclusivity(unchecked)
    private var late: [(connection: Connection, output: [UInt8])] = []
    @exclusivity(unchecked)
    private var spareOutputs: [[UInt8]] = []
    /// Nobody waits for more than the work of so many.
    private static let sentTogether = 4
    @exclusivity(unchecked)
    var date = DateLine()
    /// By the place of their token.
    private var connections: [Connection?] = []
    private var count = 0
    private(set) var isDraining = false
    private var drainTimer: DrainTimer?
    private var whenEmpty: (@Sendable () -> Void)?

    init(_ loop: EventLoop, _ settings: HTTPServer.Settings, _ gate: ConnectionGate, _ buffers: RequestBuffers) {
        self.loop = loop
        self.gate = gate
        self.buffers = buffers
        limits = settings.limits
        spans = Spans(settings.deadlines)
        responder = settings.responder
        statistics = Lock(ServerStatistics(listeners: settings.listeners.count))
    }

    deinit { input.deallocate() }

    /// The deadlines in the loop's unit.
    struct Spans {
        let header, body, idle, write, linger: UInt64

        init(_ deadlines: ServerDeadlines) {
            let start = LoopTime(milliseconds: 0)
            header = start.advanced(by: deadlines.header).milliseconds
            body = start.advanced(by: deadlines.body).milliseconds
            idle = start.advanced(by: deadlines.idle).milliseconds
            write = start.advanced(by: deadlines.write).milliseconds
            linger = start.advanced(by: deadlines.linger).milliseconds
        }
    }

    func count(_ change: (inout ServerStatistics) -> Void) { statistics.withLock { change(&$0) } }

    /// Counts something of a connection of a listener.
    func count(_ listener: Int, _ change: (inout ServerStatistics.Connections) -> Void) {
        statistics.withLock { if $0.listeners.indices.contains(listener) { change(&$0.listeners[listener]) } }
    }

    var counted: ServerStatistics {
        var counted = statistics.withLock { $0 }
        counted.requests = requests.value
        counted.requestsInFlight = requestsInFlight.value
        return counted
    }

    // MARK: Connections

    /// Takes over a connection that the gate has let in; from any thread. With an answer it is only told that.
    func adopt(_ descriptor: Int32, _ peer: Peer, _ place: ConnectionGate.Place, answer: HTTP.Response? = nil) {
        if loop.isCurrent {
            begin(descriptor, peer, place, answer)
        } else if !loop.submit({ self.begin(descriptor, peer, place, answer) }) {
            close(descriptor)
            gate.leave(place)
        }
    }

    private func begin(_ descriptor: Int32, _ peer: Peer, _ place: ConnectionGate.Place, _ answer: HTTP.Response?) {
        let connection = Connection(self, descriptor, peer, place)
        guard let token = try? loop.add(descriptor, Connection.idleEvents, connection) else {
            close(descriptor)
            gate.leave(place)
            count(place.listener) { $0.acceptFailures += 1 }
            return
        }
        if count == 0 { loop.afterEvents { self.sendLate() } }
        while connections.count <= token.place { connections.append(nil) }
        connections[token.place] = connection
        count += 1
        count(place.listener) {
            $0.accepted += 1
            $0.open += 1
        }
        connection.begin(token, answer)
    }

    /// The connection is closed.
    func forget(_ connection: Connection, _ token: LoopToken) {
        connections[token.place] = nil
        count -= 1
        count(connection.listener) { $0.open -= 1 }
        gate.leave(connection.place)
        if count == 0 {
            // The loop keeps us no longer.
            loop.afterEvents(nil)
            tellEmpty()
        }
    }

    // MARK: Answers

    /// Keeps what the connection's turn has collected until there is more, or the loop has told all that has happened.
    func sendLater(_ connection: Connection) {
        late.append((connection, output))
        output = spareOutputs.popLast() ?? []
        if late.count >= Self.sentTogether { sendLate() }
    }

    func sendLate() {
        // Their order says nothing: each is of another connection.
        while let (connection, collected) = late.popLast() {
            spareOutputs.append(output)
            output = collected
            connection.endTurn()
        }
    }

    // MARK: End

    /// From now on nothing is kept alive; what has not ended at `deadline` is cut.
    func drain(by deadline: LoopTime) {
        isDraining = true
        let timer = DrainTimer(self)
        drainTimer = timer
        if let token = try? loop.add(nil, [], timer) { loop.setDeadline(token, deadline) }
        for connection in connections { connection?.drain() }
        if deadline <= loop.now { cut() }
    }

    /// Calls once no connection is left, which may be at once.
    func whenEmpty(_ call: @escaping @Sendable () -> Void) {
        whenEmpty = call
        if count == 0 { tellEmpty() }
    }

    fileprivate func cut() {
        for connection in connections { connection?.close() }
    }

    private func tellEmpty() {
        whenEmpty?()
        whenEmpty = nil
    }
}

/// Cuts what is left when the time of a drain is up.
private final class DrainTimer: LoopSource {
    private weak var worker: Worker?

    init(_ worker: Worker) { self.worker = worker }

    func ready(_ events: LoopEvents) {}
    func timeIsUp() { worker?.cut() }
}
