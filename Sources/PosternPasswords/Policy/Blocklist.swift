/// Passwords that many have, read at the start from files with one a line. Upper and lower case are the same, and what else `UnicodeText.folded` says.
///
/// Of each entry eight bytes are kept, a hash under a key of this process. That a password is taken for one of a million entries that it is not
/// happens once in 2^44.
package struct Blocklist: Sendable {
    /// Where Debian's packages john-data and cracklib-runtime have them.
    package static let debianPaths = ["/usr/share/john/password.lst", "/usr/share/dict/cracklib-small"]
    /// Beyond this the memory would be worth more than the list.
    package static let maximumCount = 16_777_216

    /// In order.
    private let hashes: [UInt64]

    package var count: Int { hashes.count }

    package init(files: [String]) throws(BlocklistError) {
        var hashes: [UInt64] = []
        for file in files {
            let before = hashes.count
            let reader = try BlocklistFile(file)
            try reader.forEachLine { (line) throws(BlocklistError) in
                guard let hash = Self.hash(ofLine: line) else { return }
                guard hashes.count < Self.maximumCount else { throw BlocklistError(file, .tooMany) }
                hashes.append(hash)
            }
            guard hashes.count > before else { throw BlocklistError(file, .empty) }
        }
        hashes.sort()
        self.hashes = Self.withoutRepetitions(hashes)
    }

    /// An array of just this size.
    private static func withoutRepetitions(_ sorted: [UInt64]) -> [UInt64] {
        let count = sorted.indices.reduce(0) { $0 + ($1 > 0 && sorted[$1] == sorted[$1 - 1] ? 0 : 1) }
        var result: [UInt64] = []
        result.reserveCapacity(count)
        for hash in sorted where hash != result.last { result.append(hash) }
        return result
    }

    /// Whether it is on the list; `folded` has been folded.
    func contains(_ folded: SecretText) -> Bool {
        let hash = folded.withBytes { Self.hash($0) }
        var range = 0..<hashes.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if hashes[middle] == hash { return true }
            range = hashes[middle] < hash ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    /// Nil for what no password can be: bytes that are not UTF-8, and the remarks of john's list.
    private static func hash(ofLine line: UnsafeRawBufferPointer) -> UInt64? {
        guard !line.isEmpty, !line.starts(with: "#!comment:".utf8), UnicodeText.isWellFormed(line) else { return nil }
        do throws(PasswordFault) {
            return try UnicodeText.folded(line).withBytes { hash($0) }
        } catch {
            return nil
        }
    }

    /// SipHash with a key that Swift chooses at the start of the process.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
