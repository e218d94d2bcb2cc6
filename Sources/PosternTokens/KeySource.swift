public import PosternJOSE

/// Where a verifier gets its keys.
public protocol KeySource: Sendable {
    /// The keys that may be used at once; nil when there are none, or none before the issuer was asked again.
    ///
    /// It is asked for each token, so it neither waits nor computes.
    func current() -> KeySet?

    /// Keys for a token whose key is not at hand; may wait for the issuer, and whoever calls may be cancelled meanwhile.
    ///
    /// What it answers is final: a key that is not in it is not to be had. Throws when that cannot be said.
    ///
    /// - Parameter keyID: the `kid` of the token; nil when it has none.
    func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet

    /// Why a verifier of `provider` must not use these keys; nil when it may. It is asked once, when the verifier is made.
    func objection(to provider: Provider) -> String?
}

extension KeySource {
    /// Nil: whoever gives keys by hand knows whose they are.
    public func objection(to provider: Provider) -> String? { nil }
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
