internal import PosternBase
internal import PosternCrypto

/// What a text is that should be the lower-case hex SHA-256 of a nonce: the right one, or one of the usual mistakes.
package enum NonceFinding: String, CaseIterable {
    case match
    case upperCase = "upper_case"
    case surroundingSpace = "surrounding_space"
    case notHashed = "not_hashed"
    case hashGiven = "hash_given"
    case hashedTwice = "hashed_twice"
    case base64
    case newlineHashed = "newline_hashed"
    case decodedFirst = "decoded_first"
    case otherHash = "other_hash"
    case cutShort = "cut_short"
    case otherNonce = "other_nonce"
    case notAHash = "not_a_hash"

    package init(raw: String, hex: String) {
        let found = Self.recognise(raw: Array(raw.utf8), hex: Array(hex.utf8))
        self = found ?? (hex.utf8.count == 64 && Hex.decode(hex) != nil ? .otherNonce : .notAHash)
    }

    /// What is wrong with `what`, the text that should be the hash, and what to do about it.
    package func explanation(of what: String) -> String {
        switch self {
        case .match: "\(what) is the lower-case hex SHA-256 of the nonce"
        case .upperCase: "\(what) is the right hash in upper-case hex: it must be lower case"
        case .surroundingSpace: "\(what) is the right hash with white space around it"
        case .notHashed: "\(what) is the nonce itself: the client must send its SHA-256, or the rule should be plain"
        case .hashGiven:
            "\(what) is what was given: that was the hash in place of the raw nonce, or the client did not hash it"
        case .hashedTwice: "\(what) is the hash of the hash: some client libraries hash the nonce themselves"
        case .base64: "\(what) is the right hash in base64: it must be lower-case hex"
        case .newlineHashed: "\(what) is the hash of the nonce with a newline after it: use printf, not echo"
        case .decodedFirst: "\(what) is the hash of the bytes that the nonce encodes: hash its text as it is"
        case .otherHash: "\(what) is another hash of the nonce, SHA-384 or SHA-512: it must be SHA-256"
        case .cutShort: "\(what) is the beginning of the right hash: all 64 digits are needed"
        case .otherNonce: "\(what) is the hash of another nonce: it belongs to another sign-in attempt"
        case .notAHash: "\(what) is no SHA-256 in hex: that has 64 digits from 0 to 9 and a to f"
        }
    }

    private static func recognise(raw: [UInt8], hex: [UInt8]) -> NonceFinding? {
        guard let digest = try? HashAlgorithm.sha256.digest(of: raw) else { return nil }
        let right = Array(Hex.encode(digest).utf8)
        let folded = lowerCased(hex)
        if hex == right { return .match }
        if folded == right { return .upperCase }
        if lowerCased(trimmed(hex)) == right { return .surroundingSpace }
        if hex == raw { return hex.count == 64 && folded == hex && isHex(hex) ? .hashGiven : .notHashed }
        if isHash(folded, of: right) { return .hashedTwice }
        if base64URL(hex) == Array(Base64URL.encode(digest).utf8) { return .base64 }
        if isHash(folded, of: raw + [0x0A]) || isHash(folded, of: raw + [0x0D, 0x0A]) { return .newlineHashed }
        let decoded = [Base64URL.decode(base64URL(raw)), Hex.decode(String(decoding: raw, as: UTF8.self))]
        if decoded.contains(where: { $0.map { isHash(folded, of: $0) } ?? false }) { return .decodedFirst }
        if isHash(folded, of: raw, .sha384) || isHash(folded, of: raw, .sha512) { return .otherHash }
        return !folded.isEmpty && right.starts(with: folded) ? .cutShort : nil
    }

    private static func isHex(_ text: [UInt8]) -> Bool { Hex.decode(String(decoding: text, as: UTF8.self)) != nil }

    private static func isHash(_ hex: [UInt8], of bytes: [UInt8], _ hash: HashAlgorithm = .sha256) -> Bool {
        guard let digest = try? hash.digest(of: bytes) else { return false }
        return hex.elementsEqual(Hex.encode(digest).utf8)
    }

    private static func lowerCased(_ text: [UInt8]) -> [UInt8] { text.map { ASCIICase.folded($0) } }

    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return Array(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }

    /// Base64 of either alphabet without its padding, in the alphabet of base64url.
    private static func base64URL(_ text: [UInt8]) -> [UInt8] {
        text.filter { $0 != 0x3D }.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
    }
}
