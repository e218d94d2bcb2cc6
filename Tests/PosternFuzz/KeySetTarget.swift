import PosternBase
import PosternCrypto
import PosternJOSE

/// Every member of a key set is either usable or skipped with a reason, and what is usable keeps all rules.
enum KeySetTarget {
    static func run(_ input: Input) {
        guard let document = try? JSONDocument(Array(input)) else {
            require((try? KeySet(Array(input))) == nil, "keyset: keys were read from what is no JSON")
            return
        }
        guard let keys = try? KeySet(document.root) else {
            require(document.root["keys"]?.elements == nil, "keyset: an array of keys was refused")
            return
        }
        let members = document.root["keys"]?.elements ?? []
        require(keys.usable.count + keys.skipped.count == members.count, "keyset: members were lost")
        require(keys.usable.count <= KeySet.maximumUsableKeys, "keyset: too many keys")
        check(keys.skipped, of: members)
        keys.usable.forEach(check)
    }

    private static func check(_ skipped: [SkippedMember], of members: [JSONValue]) {
        for (one, next) in zip(skipped, skipped.dropFirst()) {
            require(one.position < next.position, "keyset: skipped members out of order")
        }
        for member in skipped {
            require(members.indices.contains(member.position), "keyset: a place outside the array")
            require(!member.detail.isEmpty, "keyset: skipped without a word why")
        }
    }

    private static func check(_ key: VerificationKey) {
        require(!key.algorithms.isEmpty, "keyset: a usable key without use")
        if let algorithm = key.declaredAlgorithm {
            require(key.algorithms == [algorithm], "keyset: more than the declared algorithm")
        }
        if let keyID = key.keyID { require((1...128).contains(keyID.utf8.count), "keyset: the length of a key ID") }
        if case .rsa(let count) = key.publicKey.kind { require((256...1024).contains(count), "keyset: a weak key") }
        guard let members = try? Thumbprint.members(of: key.publicKey) else {
            return require(false, "keyset: a usable key has no material")
        }
        let jwk = JSONOutput.object(members.map { ($0.0, .string($0.1)) })
        let again = try? KeySet(Array(JSONOutput.object([("keys", .array([jwk]))]).text().utf8))
        require(again?.usable.first?.thumbprint == key.thumbprint, "keyset: the key written is not the key read")
    }
}
