/// A member of a key set that is not used, and why (RFC 7517 §5 lets the rest of the set stand).
public struct SkippedMember: Sendable, Equatable {
    /// Why a member is not used.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The stable word, such as `weak`.
        public let rawValue: String

        private init(_ rawValue: String) { self.rawValue = rawValue }

        /// The stable word.
        public var description: String { rawValue }

        /// It is no JSON object.
        public static let notAnObject = Reason("not_an_object")
        /// A parameter is missing or has a wrong form.
        public static let malformed = Reason("malformed")
        /// `kty` is none of RSA, EC and OKP.
        public static let unsupportedKeyType = Reason("unsupported_kty")
        /// A symmetric key in a public set: whoever publishes it has a leak.
        public static let symmetric = Reason("symmetric")
        /// Private parts in a public set, of this member or of another with the same key: whoever publishes them has a
        /// leak, and everybody can sign.
        public static let privateParts = Reason("private")
        /// `crv` is not a curve of ours.
        public static let unsupportedCurve = Reason("unsupported_crv")
        /// `use` is not `sig`.
        public static let use = Reason("use")
        /// `key_ops` does not hold `verify`.
        public static let keyOperations = Reason("key_ops")
        /// `alg` is no signature algorithm of the key's type.
        public static let algorithm = Reason("algorithm")
        /// The key can be broken: too short, or made by a flawed generator.
        public static let weak = Reason("weak")
        /// The numbers are no public key.
        public static let invalid = Reason("invalid")
        /// The same key stands in the set before.
        public static let duplicate = Reason("duplicate")
        /// The set has more keys, or costs more to check, than is allowed.
        public static let tooMany = Reason("too_many")

        /// Every reason that this version can give.
        public static let all: [Reason] = [
            .notAnObject, .malformed, .unsupportedKeyType, .symmetric, .privateParts, .unsupportedCurve, .use,
            .keyOperations, .algorithm, .weak, .invalid, .duplicate, .tooMany,
        ]

        /// Whether the publisher of the set has given away a secret.
        public var isAlarming: Bool { self == .symmetric || self == .privateParts }
    }

    /// The place in the `keys` array, from 0.
    public let position: Int
    /// The `kid`, where it is one that a token can name.
    public let keyID: String?
    /// Why it is not used.
    public let reason: Reason
    /// What exactly is wrong, for people.
    public let detail: String
}
