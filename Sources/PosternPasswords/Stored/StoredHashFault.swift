/// Why a text is not taken for a stored password. It says which part is wrong and nothing of what stands there.
package enum StoredHashFault: Error, Equatable {
    case unknownForm
    case malformed(String)
    case tooCostly(String)

    package var message: String {
        switch self {
        case .unknownForm:
            "This is no form of a stored password that is known; Docs/Passwords.md lists them."
        case .malformed(let part): "The stored password is malformed: \(part)."
        case .tooCostly(let part): "To verify the stored password would cost too much: \(part)."
        }
    }
}
