import PosternCrypto
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import Testing

/// What happens to a machine.
enum Step {
    case want(String?)
    /// The flight of that number has brought a set of keys of these names.
    case land(Int, String, timeToLive: Int64 = 3600, isChanged: Bool = true)
    case notModified(Int, timeToLive: Int64?)
    case fail(Int, KeySetFailure.Code = .badStatus)
    case tick
    case leave(Int)
    /// A set of an earlier run, fetched so many seconds ago.
    case load(String, timeToLive: Int64 = 3600, age: Int64)
    /// Nothing happens; the line says what is at hand: names and seconds.
    case atHand
    /// Nothing happens; the line says when the next tick is due.
    case next
}

/// Plays steps at their seconds and says in words what the machine wants done.
struct MachineScript {
    private var machine = KeySetMachine()
    private var waiter = 0
    private let jitter: Double

    static func play(
        _ steps: [(second: Double, step: Step, expected: String)],
        jitter: Double = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var script = MachineScript(jitter: jitter)
        for (second, step, expected) in steps {
            let seen = try script.run(step, at: .milliseconds(Int64((second * 1000).rounded())))
            #expect(seen == expected, "at \(second) s: \(step)", sourceLocation: sourceLocation)
        }
    }

    private init(jitter: Double) { self.jitter = jitter }

    private mutating func run(_ step: Step, at now: Duration) throws -> String {
        switch step {
        case .want(let keyID):
            waiter += 1
            return words(machine.want(keyID, waiter: waiter, at: now))
        case .land(let flight, let names, let timeToLive, let isChanged):
            let landing = KeySetMachine.Landing.fetched(
                try keys(names), timeToLive: timeToLive, isChanged: isChanged)
            return words(machine.land(flight, landing, at: now, jitter: jitter))
        case .notModified(let flight, let timeToLive):
            return words(machine.land(flight, .notModified(timeToLive: timeToLive), at: now, jitter: jitter))
        case .fail(let flight, let code):
            let failure = KeySetFailure(code, "why")
            return words(machine.land(flight, .failed(failure), at: now, jitter: jitter))
        case .tick: return words(machine.tick(at: now))
        case .leave(let waiter):
            machine.leave(waiter: waiter)
            return ""
        case .load(let names, let timeToLive, let age):
            machine.load(try keys(names), timeToLive: timeToLive, age: .seconds(age), at: now, jitter: jitter)
            return machine.freshness(at: now).rawValue
        case .atHand: return machine.atHand.map { "\(Self.names($0.keys)) until \(Self.seconds($0.until))" } ?? "none"
        case .next: return machine.nextTick.map { "\(Self.seconds($0))" } ?? "never"
        }
    }

    private func keys(_ names: String) throws -> KeySet {
        let key = try TestKeys.ed25519.get().publicKey
        return KeySet(
            keys: try names.split(separator: " ").map {
                try VerificationKey(key, keyID: String($0), declaredAlgorithm: .edDSA)
            })
    }

    private func words(_ actions: KeySetMachine.Actions?) -> String {
        guard let actions else { return "ignored" }
        var words: [String] = []
        if let flight = actions.abandon { words.append("abandon \(flight)") }
        if let flight = actions.start { words.append("start \(flight)") }
        for (waiter, answer) in actions.answers.sorted(by: { $0.waiter < $1.waiter }) {
            switch answer {
            case .keys(let keys): words.append("\(waiter) gets \(Self.names(keys))")
            case .fault(let reason): words.append("\(waiter) faults \(reason?.code.rawValue ?? "unanswered")")
            }
        }
        return (words + actions.events.map(Self.word)).joined(separator: ", ")
    }

    private static func seconds(_ time: Duration) -> Double { (time / .milliseconds(1)).rounded() / 1000 }

    private static func names(_ keys: KeySet) -> String {
        keys.usable.compactMap(\.keyID).joined(separator: " ")
    }

    private static func word(_ event: KeySetEvent) -> String {
        switch event {
        case .fetched: "fetched"
        case .replaced(let usable, _): "replaced \(usable)"
        case .notModified: "not modified"
        case .failed(let failure): "failed \(failure.code)"
        case .servingStale: "stale"
        case .unknownKeyNotFetched: "not fetched"
        case .loadedFromDisk, .diskCopyIgnored, .diskCopyNotWritten: "disk"
        }
    }
}
