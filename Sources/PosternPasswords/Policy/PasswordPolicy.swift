/// What a new password must be. Nothing of this is asked of a password that exists.
package struct PasswordPolicy: Sendable {
    /// In Unicode scalars after normalization: what is typed with one key more or less on another keyboard counts the same.
    package static let standardCharacters = 8...256
    /// What the bounds of another policy may be.
    package static let possibleCharacters = 1...1_024

    private let characters: ClosedRange<Int>
    private let blocklist: Blocklist?

    /// - Parameter blocklist: passwords that many have; none of them may be taken.
    package init(characters: ClosedRange<Int> = standardCharacters, blocklist: Blocklist?) {
        self.characters = characters.clamped(to: Self.possibleCharacters)
        self.blocklist = blocklist
    }

    /// The password as it is to be hashed, if it keeps to the policy.
    ///
    /// - Parameter email: the address of the account, if it has one.
    package func accept(_ password: Password, email: String?) throws(PasswordPolicyError) -> NormalizedPassword {
        let normalized: NormalizedPassword
        let rejection: PasswordRejection?
        do throws(PasswordFault) {
            normalized = try password.normalized()
            rejection = try self.rejection(of: normalized, email: email)
        } catch {
            throw .failed(error)
        }
        if let rejection { throw .rejected(rejection) }
        return normalized
    }

    private func rejection(of password: NormalizedPassword, email: String?) throws(PasswordFault) -> PasswordRejection?
    {
        let count = password.scalarCount
        if count < characters.lowerBound { return .tooShort(minimum: characters.lowerBound) }
        if count > characters.upperBound { return .tooLong(maximum: characters.upperBound) }
        if password.text.withBytes({ $0.contains(0) }) { return .holdsNUL }
        let folded = try password.text.withBytes { bytes throws(PasswordFault) in try UnicodeText.folded(bytes) }
        if let email, try EmailNames(email).contains(folded) { return .likeEmail }
        if blocklist?.contains(folded) == true { return .listed }
        return nil
    }
}

/// Why a new password is not taken.
package enum PasswordRejection: Error, Equatable, Sendable {
    case tooShort(minimum: Int)
    case tooLong(maximum: Int)
    /// U+0000, which some programs take for the end.
    case holdsNUL
    /// One of the blocklist.
    case listed
    /// The account's email address or a part of it.
    case likeEmail

    package var message: String {
        switch self {
        case .tooShort(let minimum): "The password must have at least \(minimum) characters."
        case .tooLong(let maximum): "The password may have at most \(maximum) characters."
        case .holdsNUL: "The password must not hold the character U+0000."
        case .listed: "The password is one that many people use; choose another one."
        case .likeEmail: "The password must not be the email address or a part of it."
        }
    }
}

package enum PasswordPolicyError: Error, Equatable {
    case rejected(PasswordRejection)
    case failed(PasswordFault)
}
