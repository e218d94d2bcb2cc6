internal import PosternBase

extension EmailAddress {
    /// What a store wrote down, when it is of the usual kind: a name without quotes at a domain without A-labels. One look at each byte
    /// tells; nil leaves the rest to who reads any address. A store reads addresses with every refresh.
    init?(plain text: String) {
        var text = text
        guard let hasCapitals = text.withUTF8(Self.hasCapitalsIfPlain) else { return nil }
        self.text = text
        key = hasCapitals ? String(decoding: text.utf8.map(ASCIICase.folded), as: UTF8.self) : text
    }

    /// Whether there is a capital letter in the name; nil unless all is of the usual kind.
    private static func hasCapitalsIfPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard bytes.count <= 254 else { return nil }
        var hasCapitals = false
        var last: UInt8 = 0x2E
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0x61...0x7A, 0x30...0x39, 0x2B, 0x2D, 0x5F: break
            case 0x41...0x5A: hasCapitals = true
            case 0x2E where last != 0x2E: break
            case 0x40 where (1...64).contains(index) && last != 0x2E:
                return isPlainDomain(bytes, from: index + 1) ? hasCapitals : nil
            default: return nil
            }
            last = byte
        }
        return nil
    }

    /// Labels of small letters, digits and inner hyphens; the last begins with a letter, and none is an A-label.
    private static func isPlainDomain(_ bytes: UnsafeBufferPointer<UInt8>, from first: Int) -> Bool {
        var (start, labels) = (first, 0)
        var last: UInt8 = 0x2E
        for index in first..<bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x61...0x7A, 0x30...0x39: break
            // Two hyphens in a row are rare, and may be an A-label's.
            case 0x2D where last != 0x2E && last != 0x2D: break
            case 0x2E where last != 0x2E && last != 0x2D && index - start <= 63:
                (start, labels) = (index + 1, labels + 1)
            default: return false
            }
            last = byte
        }
        return labels > 0 && start < bytes.count && bytes.count - start <= 63 && last != 0x2D
            && (0x61...0x7A).contains(bytes[start])
    }
}
