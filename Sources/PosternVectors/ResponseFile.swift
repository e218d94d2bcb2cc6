internal import PosternBase
internal import PosternCrypto

/// A response file for SHA-2 over whole bytes, as NIST's validation programme (CAVP) publishes them.
///
/// Lines: `# …`, `[L = bytes of the digest]`, then blocks of `Len = bits`, `Msg = hex`, `MD = hex`.
struct ResponseFile {
    private(set) var cases: [VectorCase] = []
    private var digestByteCount: Int?
    private var length: Int?
    private var message: [UInt8]?

    static func isOne(_ bytes: [UInt8]) -> Bool {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            if bytes[start...].starts(with: "[L = ".utf8) { return true }
            guard let end = bytes[start...].firstIndex(of: 0x0A) else { return false }
            start = end + 1
        }
        return false
    }

    init(_ bytes: [UInt8]) throws(VectorFault) {
        var rest = bytes[...]
        var number = 0
        while !rest.isEmpty {
            number += 1
            let line = Self.trimmed(rest.prefix { $0 != 0x0A })
            rest = rest.drop { $0 != 0x0A }.dropFirst()
            if line.isEmpty || line.first == 0x23 { continue }
            guard try read(String(decoding: line, as: UTF8.self)) else {
                throw VectorFault("Line \(number) is none of a SHA-2 response file, or stands in the wrong place.")
            }
        }
        guard length == nil, message == nil else { throw VectorFault("The last block of the file is not complete.") }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let last = line.last, [0x20, 0x09, 0x0D].contains(last) { line.removeLast() }
        return line
    }

    /// false when the line has no place here.
    private mutating func read(_ line: String) throws(VectorFault) -> Bool {
        if let text = Self.content(of: line, after: "[L = ", before: "]") {
            guard let count = DecimalDigits.value(of: text).map(Int.init), count > 0, length == nil else {
                return false
            }
            digestByteCount = count
        } else if let text = Self.content(of: line, after: "Len = ") {
            guard let count = DecimalDigits.value(of: text).map(Int.init), length == nil, digestByteCount != nil else {
                return false
            }
            length = count
        } else if let text = Self.content(of: line, after: "Msg = ") {
            guard let length, message == nil, let bytes = Hex.decode(text) else { return false }
            // A message of no bits is written as one zero byte.
            guard bytes.count == max((length + 7) / 8, 1) else { return false }
            message = length == 0 ? [] : bytes
        } else if let text = Self.content(of: line, after: "MD = ") {
            guard let length, let message, let digestByteCount, let digest = Hex.decode(text),
                digest.count == digestByteCount
            else { return false }
            addCase(message, length, digest)
            (self.length, self.message) = (nil, nil)
        } else {
            return false
        }
        return true
    }

    private static func content(of line: String, after prefix: String, before suffix: String = "") -> Substring? {
        let text = line.utf8
        guard text.starts(with: prefix.utf8), text.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else {
            return nil
        }
        return Substring(text.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count))
    }

    private mutating func addCase(_ message: [UInt8], _ length: Int, _ digest: [UInt8]) {
        let id = "\(cases.count + 1) (Len = \(length))"
        cases.append(
            VectorCase(id: id) {
                guard length.isMultiple(of: 8) else { return .skipped(.partialOctets) }
                guard let hash = HashAlgorithm.allCases.first(where: { $0.byteCount == digest.count }) else {
                    return .skipped(.hash)
                }
                do throws(CryptoError) {
                    let found = try hash.digest(of: message)
                    return found == digest
                        ? .passed : .failed(expected: Hex.encode(digest), got: Hex.encode(found))
                } catch {
                    return .failed(expected: Hex.encode(digest), got: error.reason.rawValue)
                }
            }
        )
    }
}
