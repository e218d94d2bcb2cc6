internal import PosternBase
internal import PosternCrypto

/// Sorts the members of a JWK Set into keys and what is skipped.
struct KeySetBuilder {
    private let known: [KnownKey]
    private(set) var usable: [(key: VerificationKey, position: Int)] = []
    private(set) var skipped: [SkippedMember] = []
    private var leaked: Set<[UInt8]> = []
    private var spent = 0

    /// `known`: keys that were checked before.
    init(known: [KnownKey]) { self.known = known }

    mutating func add(_ member: JSONValue, at position: Int) {
        do throws(JSONWebKey.Unusable) {
            let read = try JSONWebKey(member)
            try read.refuseSecrets()
            guard usable.count < KeySet.maximumUsableKeys else {
                throw JSONWebKey.Unusable(reason: .tooMany, detail: "the set has too many keys")
            }
            let key = try read.usableKey(knowing: known) { characters throws(JSONWebKey.Unusable) in
                spent += Self.cost(ofModulus: characters)
                guard spent <= KeySet.checkBudget else {
                    throw JSONWebKey.Unusable(reason: .tooMany, detail: "checking the keys of this set takes too long")
                }
            }
            guard !usable.contains(where: { $0.key.isDuplicate(of: key) }) else {
                throw JSONWebKey.Unusable(reason: .duplicate, detail: "the same key stands in the set before")
            }
            usable.append((key, position))
        } catch {
            skip(error, JSONWebKey.keyID(of: member), at: position)
        }
        leaked.formUnion(JSONWebKey.leakedNumbers(of: member))
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
            guard let number = entry.key.identifyingNumber, leaked.contains(number) else {
                usable.append(entry)
                continue
            }
            let detail = "another member of the set shows the private part of this key"
            skip(JSONWebKey.Unusable(reason: .privateParts, detail: detail), entry.key.keyID, at: entry.position)
        }
    }

    /// The rough cost of checking a modulus, by its length in base64url.
    private static func cost(ofModulus characters: Int) -> Int {
        // 342 characters are 2048 bits, here 4; longer than 8192 bits is refused unchecked.
        let length = (min(max(characters, 342), 1366) * 4 + 171) / 342
        return length * length * length / 64
    }
}

extension VerificationKey {
    /// Same name, same material, same algorithm, same issuer.
    fileprivate func isDuplicate(of other: VerificationKey) -> Bool {
        thumbprint == other.thumbprint && isNamed(other.keyID, other.declaredAlgorithm, other.issuer)
    }

    /// The key's modulus or first coordinate without leading zeros: equal ones belong to one private key, whatever else
    /// differs.
    fileprivate var identifyingNumber: [UInt8]? {
        guard let material = try? publicKey.material() else { return nil }
        let octets: [UInt8] =
            switch material {
            case .rsa(let modulus, _): modulus
            case .ec(_, let x, _): x
            case .ed25519(let x): x
            }
        return Array(octets.drop { $0 == 0 })
    }
}
