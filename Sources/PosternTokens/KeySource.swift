public import PosternJOSE

/// Where a verifier gets its keys.
public protocol KeySource: Sendable {
    /// The keys at hand, without waiting; nil when there are none yet.
    func current() -> KeySet?

    /// Keys for a token whose key is not at hand; may wait for the issuer. Throws when no keys can be had.
    ///
    /// - Parameter keyID: the `kid` that `current()` does not hold; nil when there were no keys at all.
    func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet
}

/// A key set that never changes.
public struct StaticKeySource: KeySource {
    private let keys: KeySet

    /// A source that has `keys` and never others.
    public init(_ keys: KeySet) { self.keys = keys }

    /// The keys given.
    public func current() -> KeySet? { keys }

    /// The keys given: there are no others to be had.
    public func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet { keys }
}
