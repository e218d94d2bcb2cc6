/// A token was refused: a normal answer, not a failure of the verifier.
public struct Refusal: Error, Sendable, Equatable {
    /// The stable word for the reason.
    public let code: RefusalCode
    /// What is wrong and what to do about it, in English; never holds the token, a nonce or a secret.
    public let message: String

    package init(_ code: RefusalCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// No verdict could be reached; the token may be good, so try again later.
public struct VerificationFault: Error, Sendable, Equatable {
    /// The kind of fault.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable word, such as `keys_unavailable`.
        public let rawValue: String

        private init(_ rawValue: String) { self.rawValue = rawValue }

        /// The stable word.
        public var description: String { rawValue }

        /// There is no key to verify with.
        public static let keysUnavailable = Code("keys_unavailable")

        /// What must be remembered cannot be, so nothing is accepted that may be used once.
        public static let storeUnavailable = Code("store_unavailable")

        /// Every code, in no particular order.
        package static let all: [Code] = [keysUnavailable, storeUnavailable]
    }

    /// The kind of fault.
    public let code: Code
    /// What happened and what to do about it, in English.
    public let message: String

    /// There is no key to verify with: the key set could not be had, or holds no usable key (`keys_unavailable`).
    ///
    /// What a `KeySource` throws; `message` says why and what to do about it.
    public static func keysUnavailable(_ message: String) -> VerificationFault {
        VerificationFault(code: .keysUnavailable, message: message)
    }

    /// The use of a nonce could not be written down (`store_unavailable`).
    package static func storeUnavailable(_ message: String) -> VerificationFault {
        VerificationFault(code: .storeUnavailable, message: message)
    }
}

/// What `verify` throws.
public enum VerificationError: Error, Sendable, Equatable {
    /// The token is not to be accepted.
    case refused(Refusal)
    /// It could not be found out.
    case fault(VerificationFault)
}

/// A verifier was set up in a way that cannot be safe; fix the setting, it is no fault of a token.
public struct ConfigurationError: Error, Sendable, Equatable {
    /// Which setting is wrong and what it must be, in English.
    public let message: String

    package init(_ message: String) { self.message = message }
}

extension VerificationError {
    /// The refusal, if it is one.
    func refusal() throws(VerificationFault) -> Refusal {
        switch self {
        case .refused(let refusal): return refusal
        case .fault(let fault): throw fault
        }
    }
}
