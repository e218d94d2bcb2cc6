/// Makes and compares stored passwords, on the calling thread, which it keeps for long: `HashingPool` is where that may happen.
package protocol PasswordHasher: Sendable {
    /// A new hash, with salt of its own.
    func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash

    /// Whether the password is the one that was hashed.
    func verify(_ password: Password, against hash: StoredPasswordHash) throws(PasswordFault) -> Bool

    /// Whether a new hash should take the place of this one as soon as the password is known.
    func needsRehash(_ hash: StoredPasswordHash) -> Bool
}
