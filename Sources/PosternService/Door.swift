internal import PosternBase

/// A group of paths that a listener opens or keeps shut; what is behind a shut door is not there.
package enum Door: String, Sendable, CaseIterable, LogWord {
    /// Nonces, verdicts, accounts, sessions and the state of the keys, for the operator's own backends.
    case native
    /// What everybody may know: the public keys of our access tokens.
    case auth
    /// Readiness and metrics, for who runs the machine.
    case operations
}

/// Several doors; in bits, since each request asks for one.
package struct Doors: Sendable {
    private let bits: UInt8

    init(_ doors: Set<Door>) { bits = doors.reduce(0) { $0 | $1.bit } }

    package var isEmpty: Bool { bits == 0 }

    package func contains(_ door: Door) -> Bool { bits & door.bit != 0 }
}

extension Door {
    fileprivate var bit: UInt8 {
        switch self {
        case .native: 1
        case .auth: 2
        case .operations: 4
        }
    }
}
