/// Why bytes are no compact JWS that Postern reads (RFC 7515 §5.2).
package struct JWSFault: Error, Equatable {
    package enum Stage: Sendable {
        /// More bytes than the limit.
        case size
        /// Not three segments of canonical base64url.
        case form
        /// The header is no strict JSON object, or a member of it has a wrong form.
        case header
    }

    package let stage: Stage
    package let message: String
}

/// Rules of the reader that a test can leave out, to prove that each of them is needed.
package struct JWSRules: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let size = JWSRules(rawValue: 1)
    /// No fourth segment.
    package static let segments = JWSRules(rawValue: 2)
    /// Forms of `kid`, `typ`, `cty`, absence of `enc`.
    package static let header = JWSRules(rawValue: 4)
    package static let all: JWSRules = [.size, .segments, .header]
}
