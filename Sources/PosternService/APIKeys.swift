package import PosternBase
internal import PosternCrypto

/// The keys that callers present as bearer tokens (RFC 6750 §2.1), kept as their hashes.
///
/// Several at once, so that a key can be replaced without a gap.
package struct APIKeys: Sendable {
    /// A key's name, for logs and limits, and the SHA-256 of the key.
    package struct Entry: Sendable {
        package let name: String
        let digest: [UInt8]

        /// nil when `digest` is not 32 bytes.
        package init?(name: String, digest: [UInt8]) {
            guard digest.count == HashAlgorithm.sha256.byteCount else { return nil }
            self.name = name
            self.digest = digest
        }
    }

    /// Random enough that its hash needs no salt and no slowness.
    package static let prefix = "postern_"
    package static let maximumByteCount = 256

    package let entries: [Entry]

    package init(_ entries: [Entry] = []) { self.entries = entries }

    package var isEmpty: Bool { entries.isEmpty }

    /// Whether each place has the same key under the same name.
    func isSame(as other: APIKeys) -> Bool {
        entries.count == other.entries.count
            && zip(entries, other.entries).allSatisfy { $0.name.isSameBytes(as: $1.name) && $0.digest == $1.digest }
    }

    /// A new key: 256 random bits behind a word that tells what it is.
    package static func random(_ source: RandomSource = .system) -> Secret<String> {
        Secret(prefix + Base64URL.encode(source.bytes(32)))
    }

    /// Whether it has the form of those that `random` makes; a cut one could be guessed.
    package static func isWhole(_ key: Secret<String>) -> Bool {
        let text = key.revealed.utf8
        return text.starts(with: prefix.utf8)
            && Base64URL.decode(Array(text.dropFirst(prefix.utf8.count)))?.count == 32
    }

    /// Whether a key stands in it, whole or in great part, and so something that nobody may see.
    package static func isIn(_ text: Secret<String>) -> Bool {
        let bytes = Array(text.revealed.utf8)
        let start = Array(prefix.utf8)
        return bytes.indices.contains { place in
            guard bytes[place...].starts(with: start) else { return false }
            let random = bytes[place...].dropFirst(start.count).prefix(while: isDigit)
            return random.count >= 32
        }
    }

    /// Of Base64url.
    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
    }

    /// The SHA-256 of a key; nil when the library fails.
    package static func digest(of key: Secret<String>) -> [UInt8]? {
        try? HashAlgorithm.sha256.digest(of: Array(key.revealed.utf8))
    }

    /// What stands where a key should, when something went wrong or nobody has filled it in.
    private static let nonKeys = [
        "", "\n", "\r\n", " ", prefix, "KEY", "key", "null", "undefined", "changeme", "secret", "password", "test",
        "example",
    ]

    /// Whether a hash is that of nothing or of another text that is no key; also with a line end behind it, as `echo` makes
    /// one.
    package static func isOfNoKey(_ digest: [UInt8]) -> Bool {
        digest.allSatisfy { $0 == 0 }
            || nonKeys.contains {
                self.digest(of: Secret($0)) == digest || self.digest(of: Secret($0 + "\n")) == digest
            }
    }

    /// The place of the entry whose key this is. Each entry is compared, in constant time, so that the time tells nothing.
    func place(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        guard (1...Self.maximumByteCount).contains(key.count) else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HashAlgorithm.sha256.byteCount) { digest in
            guard HashAlgorithm.sha256.write(digestOf: key, to: digest) else { return nil }
            var found: Int?
            for (place, entry) in entries.enumerated() {
                let isSame = entry.digest.withUnsafeBufferPointer {
                    ConstantTime.equals($0, UnsafeBufferPointer(digest))
                }
                if isSame { found = place }
            }
            return found
        }
    }
}
