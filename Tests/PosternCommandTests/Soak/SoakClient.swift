import Foundation

/// A listener of the daemon under load.
struct SoakPlace: Sendable {
    let name: String
    private let path: String?
    private let port: Int
    private let fields: [String]

    init(path: String) {
        (name, self.path, port, fields) = ("unix", path, 0, [])
    }

    init(port: Int, key: String) {
        (name, path, self.port, fields) = ("tcp", nil, port, ["Authorization: Bearer \(key)"])
    }

    func connect() throws -> SocketClient {
        let client = try path.map { try SocketClient(unix: $0) } ?? SocketClient(port: port)
        client.fields = fields
        return client
    }
}

/// A client that does the same thing again and again on a thread of its own until the time is over.
final class SoakClient: @unchecked Sendable {
    // @unchecked: the thread writes, and who joins reads once it has ended.

    /// One round; it throws when an answer is not the one that it must be.
    typealias Round = @Sendable (SoakPlace) throws -> Void

    struct Kind: Sendable {
        let name: String
        /// Microseconds between two rounds: the machine has others to serve.
        let pause: UInt32
        let round: Round
    }

    let name: String
    private let kind: Kind
    private let place: SoakPlace
    private let end: Date
    private let hasEnded = DispatchSemaphore(value: 0)
    private var rounds = 0
    private var failure: String?

    init(_ kind: Kind, at place: SoakPlace, until end: Date) {
        name = "\(kind.name) over \(place.name)"
        self.kind = kind
        self.place = place
        self.end = end
    }

    func start() {
        Thread.detachNewThread { [self] in
            while Date() < end, failure == nil {
                do {
                    try kind.round(place)
                    rounds += 1
                } catch {
                    failure = "round \(rounds): \(error)"
                }
                usleep(kind.pause)
            }
            hasEnded.signal()
        }
    }

    func join() -> (rounds: Int, failure: String?) {
        hasEnded.wait()
        return (rounds, failure)
    }

    static func demand(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw DaemonFailure(text: what()) }
    }

    static func demand(_ reply: SocketClient.Reply, _ word: String) throws {
        let text = String(decoding: reply.body, as: UTF8.self)
        try demand(reply.word == word, "\(word) expected: \(reply.head) \(text)")
    }
}
