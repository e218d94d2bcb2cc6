/// A member of a key set that is not used, and why (RFC 7517 §5 lets the rest of the set stand).
public struct SkippedMember: Sendable, Equatable {
    public enum Reason: String, Sendable, CaseIterable {
        case notAnObject = "not_an_object"
        case malformed
        case unsupportedKeyType = "unsupported_kty"
        /// A symmetric key in a public set: whoever publishes it has a leak.
        case symmetric
        /// Private parts in a public set: whoever publishes them has a leak.
        case privateParts = "private"
        case unsupportedCurve = "unsupported_crv"
        case use
        case keyOperations = "key_ops"
        case algorithm
        case weak
        case invalid
        case duplicate
        case tooMany = "too_many"

        /// Whether the publisher of the set has given away a secret.
        public var isAlarming: Bool { self == .symmetric || self == .privateParts }
    }

    /// The place in the `keys` array, from 0.
    public let position: Int
    public let keyID: String?
    public let reason: Reason
    /// What exactly is wrong, for people.
    public let detail: String
}
