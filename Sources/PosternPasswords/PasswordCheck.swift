package import PosternBase

/// Whether a password opens an account, at the same cost whether there is one or not.
///
/// Without a hash (no such account, or one without a password) the password is compared with a hash of nobody's, made at the start with the present
/// parameters: one comparison, as with an account that has a hash of the present parameters. A hash of another kind costs what it costs, so until its
/// owner has signed in once, an imported account can be told from none by time; then it is replaced.
package struct PasswordCheck: Sendable {
    package enum Outcome: Sendable, Equatable {
        case wrong
        /// With a hash that should take the place of the one that was compared, unless it has changed meanwhile.
        case right(replacement: StoredPasswordHash?)
    }

    private let hasher: any PasswordHasher
    private let nobodys: StoredPasswordHash

    /// - Parameter random: for a password that nobody has.
    package init(_ hasher: any PasswordHasher, random: RandomSource = .system) throws(PasswordFault) {
        self.hasher = hasher
        guard let password = Password(Hex.encode(random.bytes(32))) else {
            throw PasswordFault(.library, "no password for nobody")
        }
        nobodys = try hasher.hash(password.normalized())
    }

    package func check(_ password: Password, against hash: StoredPasswordHash?) throws(PasswordFault) -> Outcome {
        let isRight = try hasher.verify(password, against: hash ?? nobodys)
        guard let hash, isRight else { return .wrong }
        // What bcrypt has not read may be mistyped, and would be demanded from then on.
        guard hasher.needsRehash(hash), hash.determines(password) else { return .right(replacement: nil) }
        return .right(replacement: replacement(password))
    }

    /// Who gave the right password is let in, even if there is no memory for a better hash.
    private func replacement(_ password: Password) -> StoredPasswordHash? {
        do throws(PasswordFault) {
            return try hasher.hash(password.normalized())
        } catch {
            return nil
        }
    }

    /// The hash of a new password.
    package func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash {
        try hasher.hash(password)
    }
}
