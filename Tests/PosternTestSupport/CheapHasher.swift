package import PosternPasswords
import Synchronization

/// A hasher for tests of what stands above: the least Argon2id that there is, and a count of what was asked of it.
package final class CheapHasher: PasswordHasher {
    private let hasher = Argon2idHasher(.least)
    private let hashes = Atomic(0)
    private let verifications = Atomic(0)

    package init() {}

    /// How many hashes were made.
    package var hashCount: Int { hashes.load(ordering: .sequentiallyConsistent) }

    /// How often a password was compared.
    package var verifyCount: Int { verifications.load(ordering: .sequentiallyConsistent) }

    package func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash {
        hashes.add(1, ordering: .sequentiallyConsistent)
        return try hasher.hash(password)
    }

    package func verify(_ password: Password, against hash: StoredPasswordHash) throws(PasswordFault) -> Bool {
        verifications.add(1, ordering: .sequentiallyConsistent)
        return try hasher.verify(password, against: hash)
    }

    package func needsRehash(_ hash: StoredPasswordHash) -> Bool { hasher.needsRehash(hash) }
}
