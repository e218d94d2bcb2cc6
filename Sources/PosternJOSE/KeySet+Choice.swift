internal import PosternBase

/// The key that a token asks for, or why there is none.
package enum KeyChoice: Sendable {
    case key(VerificationKey)
    /// No key of that name: a newer set might have it.
    case notFound
    /// Several different keys fit.
    case ambiguous
    /// The set has the key that is named, but it must not be used for this.
    case unusable(String)
    /// There is nothing to verify with at all.
    case nothingUsable
}

/// Rules of the choice that a test can leave out, to prove that each of them is needed.
package struct KeyChoiceRules: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The key has the name that the token gives.
    package static let keyID = KeyChoiceRules(rawValue: 1)
    /// Only one key fits.
    package static let ambiguity = KeyChoiceRules(rawValue: 2)
    package static let all: KeyChoiceRules = [.keyID, .ambiguity]
}

extension KeySet {
    /// Whether a member of the set, usable or skipped, is named `keyID`: asking the issuer again would not help.
    package func names(_ keyID: String) -> Bool {
        usable.contains { $0.keyID?.isSameBytes(as: keyID) == true }
            || skipped.contains { $0.keyID?.isSameBytes(as: keyID) == true }
    }

    /// Chooses exactly one key by kid, type, algorithm and use, never by trying (RFC 7515 §6, RFC 8725 §3.1).
    ///
    /// Where the same key stands in the set several times, for several issuers, `isPreferred` picks the member.
    package func choose(
        _ header: JOSEHeader,
        _ algorithm: Algorithm,
        keyIDRequired: Bool,
        rules: KeyChoiceRules = .all,
        preferring isPreferred: (VerificationKey) -> Bool = { _ in true }
    ) -> KeyChoice {
        guard header.hasKeyID || !keyIDRequired else { return usable.isEmpty ? .nothingUsable : .notFound }
        // A token that names no key can only mean the one that there is (OpenID Connect Core §10.1).
        guard header.hasKeyID || !rules.contains(.ambiguity) || holdsOneKey else { return .ambiguous }
        var chosen: VerificationKey?
        for key in usable
        where (!rules.contains(.keyID) || isWanted(key, header)) && key.verifier(for: algorithm) != nil {
            if let chosen, chosen.thumbprint != key.thumbprint, rules.contains(.ambiguity) { return .ambiguous }
            if chosen.map({ !isPreferred($0) && isPreferred(key) }) ?? true { chosen = key }
        }
        return chosen.map { .key($0) } ?? absence(header, algorithm)
    }

    /// Members that were not looked at count as others.
    private var holdsOneKey: Bool {
        guard unreadCount == 0, !skipped.contains(where: { $0.reason == .tooMany }) else { return false }
        guard let first = usable.first else { return true }
        return usable.allSatisfy { $0.thumbprint == first.thumbprint }
    }

    private func isWanted(_ key: VerificationKey, _ header: JOSEHeader) -> Bool {
        guard header.hasKeyID else { return true }
        guard let keyID = key.keyID else { return false }
        return header.keyIDEquals(keyID)
    }

    private func absence(_ header: JOSEHeader, _ algorithm: Algorithm) -> KeyChoice {
        if header.hasKeyID {
            for member in skipped {
                if let keyID = member.keyID, header.keyIDEquals(keyID) { return .unusable(member.detail) }
            }
            for key in usable {
                if let keyID = key.keyID, header.keyIDEquals(keyID) {
                    return .unusable("it does not fit \(algorithm.name)")
                }
            }
        }
        return usable.isEmpty ? .nothingUsable : .notFound
    }
}
