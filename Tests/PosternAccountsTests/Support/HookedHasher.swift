import Dispatch
import PosternBase
import PosternPasswords
import PosternTestSupport

/// The cheap hasher, which can be held while it compares or hashes.
final class HookedHasher: PasswordHasher {
    let cheap = CheapHasher()
    private let gates = Lock<[Gate]>([])
    private let gatesOfHashes = Lock<[Gate]>([])

    /// The next comparison waits inside the gate; the one after that in the next gate.
    func hold(_ gate: Gate) { gates.withLock { $0.append(gate) } }

    /// The same for the next password that is hashed.
    func holdHash(_ gate: Gate) { gatesOfHashes.withLock { $0.append(gate) } }

    func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash {
        let gate = gatesOfHashes.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        let hash = try cheap.hash(password)
        gate?.pass()
        return hash
    }

    func verify(_ password: Password, against hash: StoredPasswordHash) throws(PasswordFault) -> Bool {
        let gate = gates.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        let isRight = try cheap.verify(password, against: hash)
        gate?.pass()
        return isRight
    }

    func needsRehash(_ hash: StoredPasswordHash) -> Bool { cheap.needsRehash(hash) }
}

/// Holds a thread until the test opens it, and tells the test that the thread is there.
final class Gate: Sendable {
    private let arrivals = DispatchSemaphore(value: 0)
    private let openings = DispatchSemaphore(value: 0)

    func pass() {
        arrivals.signal()
        openings.wait()
    }

    func open() { openings.signal() }

    /// For tasks, whose threads must not block.
    func arrived() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.arrivals.wait()
                continuation.resume()
            }
        }
    }
}
