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

extension KeySet {
    /// Whether a member of the set, usable or skipped, is named `keyID`: asking the issuer again would not help.
    package func names(_ keyID: String) -> Bool {
        usable.contains { $0.keyID?.isSameBytes(as: keyID) == true }
            || skipped.contains { $0.keyID?.isSameBytes(as: keyID) == true }
    }

    /// Chooses exactly one key by kid, type, algorithm and use, never by trying (RFC 7515 §6, RFC 8725 §3.1).
    package func choose(_ header: JOSEHeader, _ algorithm: Algorithm, keyIDRequired: Bool) -> KeyChoice {
        guard header.hasKeyID || !keyIDRequired else { return usable.isEmpty ? .nothingUsable : .notFound }
        var chosen: VerificationKey?
        for key in usable where isWanted(key, header) && key.verifier(for: algorithm) != nil {
            if let chosen, chosen.thumbprint != key.thumbprint { return .ambiguous }
            chosen = chosen ?? key
        }
        return chosen.map { .key($0) } ?? absence(header, algorithm)
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
