internal import PosternBase
internal import PosternCrypto

/// Sorts the members of a JWK Set into keys and what is skipped.
struct KeySetBuilder {
    private(set) var usable: [(key: VerificationKey, position: Int)] = []
    private(set) var skipped: [SkippedMember] = []
    private var leaked: [[UInt8]] = []
    private var spent = 0

    mutating func add(_ member: JSONValue, at position: Int) {
        do throws(JSONWebKey.Unusable) {
            guard usable.count < KeySet.maximumUsableKeys else {
                throw JSONWebKey.Unusable(reason: .tooMany, detail: "the set has too many keys")
            }
            spent += Self.cost(of: member)
            guard spent <= KeySet.checkBudget else {
                throw JSONWebKey.Unusable(reason: .tooMany, detail: "checking the keys of this set takes too long")
            }
            let key = try JSONWebKey(member).usableKey()
            guard !usable.contains(where: { $0.key.isDuplicate(of: key) }) else {
                throw JSONWebKey.Unusable(reason: .duplicate, detail: "the same key stands in the set before")
            }
            usable.append((key, position))
        } catch {
            skip(error, JSONWebKey.keyID(of: member), at: position)
        }
        if let octets = JSONWebKey.leakedKey(of: member) { leaked.append(octets) }
    }

    private mutating func skip(_ why: JSONWebKey.Unusable, _ keyID: String?, at position: Int) {
        skipped.append(SkippedMember(position: position, keyID: keyID, reason: why.reason, detail: why.detail))
    }

    /// Gives up the keys whose private parts another member shows: everybody could sign with them.
    mutating func withdrawLeaked() {
        guard !leaked.isEmpty else { return }
        let all = usable
        usable.removeAll()
        for entry in all {
            guard leaked.contains(where: entry.key.isMadeOf) else {
                usable.append(entry)
                continue
            }
            let detail = "another member of the set shows the private part of this key"
            skip(JSONWebKey.Unusable(reason: .privateParts, detail: detail), entry.key.keyID, at: entry.position)
        }
    }

    /// The rough cost of checking a member, by the length of its modulus.
    private static func cost(of member: JSONValue) -> Int {
        guard let characters = member["n"]?.stringByteCount else { return 1 }
        // 342 characters are 2048 bits, here 4; longer than 8192 bits is refused unchecked.
        let length = (min(max(characters, 342), 1366) * 4 + 171) / 342
        return length * length * length / 64
    }
}

extension VerificationKey {
    /// Same name, same material, same algorithm, same issuer.
    fileprivate func isDuplicate(of other: VerificationKey) -> Bool {
        thumbprint == other.thumbprint && declaredAlgorithm == other.declaredAlgorithm
            && Self.match(keyID, other.keyID) && Self.match(issuer, other.issuer)
    }

    private static func match(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.isSameBytes(as: right)
        default: false
        }
    }

    /// Whether the key's modulus or first coordinate is this: equal ones belong to one private key, whatever else differs.
    fileprivate func isMadeOf(_ octets: [UInt8]) -> Bool {
        guard let material = try? publicKey.material() else { return false }
        return switch material {
        case .rsa(let modulus, _): modulus == octets
        case .ec(_, let x, _): x == octets
        case .ed25519(let x): x == octets
        }
    }
}
