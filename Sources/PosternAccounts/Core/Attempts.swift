internal import PosternBase
internal import PosternCrypto

/// The buckets that a try is counted in: that of the address that was typed, whether anybody has it or not, and that of the network
/// address that it came from.
struct Attempts: Sendable {
    private struct Bucket: Sendable {
        let name: [UInt8]
        let rule: AttemptRule
    }

    private let buckets: [Bucket]

    init(
        _ purpose: String,
        _ subject: [UInt8],
        _ policy: Accounts.Policy,
        _ visitor: Visitor,
        key: Secret<[UInt8]>
    ) throws(AccountError) {
        var buckets = [Bucket(name: try Self.name(purpose, subject, key), rule: policy.attempts)]
        if let address = visitor.address {
            let name = try Self.name("network address", address.counted, key)
            buckets.append(Bucket(name: name, rule: policy.attemptsByAddress))
        }
        self.buckets = buckets
    }

    /// Under a key, so that a stolen store does not tell which addresses were typed.
    private static func name(
        _ purpose: String,
        _ subject: [UInt8],
        _ key: Secret<[UInt8]>
    ) throws(AccountError) -> [UInt8] {
        do throws(CryptoError) {
            let message = Array("\(purpose)\n".utf8) + subject
            return try HMAC.authenticationCode(of: message, key: key.revealed, using: .sha256)
        } catch {
            throw .fault(.keys("HMAC-SHA-256 is not to be had: \(error.reason.rawValue)."))
        }
    }

    /// Takes a try from each; the refusal, and none is taken, when one of them is empty.
    func take(_ transaction: any StoreTransaction, now: Int64) throws(StoreFault) -> AccountRefusal? {
        var counts: [AttemptCount] = []
        for bucket in buckets {
            switch bucket.rule.take(try transaction.attempts(bucket.name), name: bucket.name, now: now) {
            case .allowed(let count): counts.append(count)
            case .refused(let seconds, let moved):
                if let moved { try transaction.put(moved) }
                return AccountRefusal(
                    .tooManyAttempts, "Too many tries: the next one is open in \(seconds) s.", retryAfter: seconds)
            }
        }
        for count in counts { try transaction.put(count) }
        return nil
    }

    /// Gives the tries back, since nothing was tried.
    func giveBack(_ transaction: any StoreTransaction, now: Int64) throws(StoreFault) {
        for bucket in buckets {
            guard let count = try transaction.attempts(bucket.name) else { continue }
            try transaction.put(bucket.rule.giveBack(count, now: now))
        }
    }

    /// Who got it right has all tries again; not so the network address, from which others may be guessing.
    func forgive(_ transaction: any StoreTransaction, now: Int64) throws(StoreFault) {
        guard let first = buckets.first else { return }
        try transaction.put(AttemptCount(name: first.name, taken: 0, countedAt: now, expiresAt: now))
    }
}
