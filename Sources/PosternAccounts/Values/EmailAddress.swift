internal import CIDN
internal import PosternBase

/// A mailbox (RFC 5321 §4.1.2), its domain in A-labels (RFC 5890) of lower case.
///
/// Two addresses are one when they differ in the case of ASCII letters alone: nothing else is folded, since providers differ.
package struct EmailAddress: Sendable, Hashable {
    /// Where mail goes: the local part as it was written, and the domain.
    package let text: String
    /// What is compared: the same in lower case.
    package let key: String

    /// What is wrong with a text that is no address, in words for the person who typed it.
    package enum Mistake: String, Error, Sendable, CaseIterable {
        case tooLong = "it is longer than 254 bytes"
        case noAtSign = "it has no @ between name and domain"
        case localPart = "what stands before the @ is not the name of a mailbox"
        case domain = "what stands after the @ is not the domain of a mail server"
    }

    /// Reads an address as a person types it: without comments, with a domain in any script.
    package init(_ text: String) throws(Mistake) {
        let bytes = Array(text.utf8)
        // A domain may be longer in UTF-8 than in A-labels, though not by much; more is not worth a look.
        guard bytes.count <= 1_024 else { throw .tooLong }
        guard let at = bytes.lastIndex(of: 0x40) else { throw .noAtSign }
        let local = try LocalPart.canonical(Array(bytes[..<at]))
        let domain = try MailDomain.ascii(Array(bytes[(at + 1)...]))
        guard local.count + 1 + domain.count <= 254 else { throw .tooLong }
        let whole = local + [0x40] + domain
        self.text = String(decoding: whole, as: UTF8.self)
        key = String(decoding: whole.map(ASCIICase.folded), as: UTF8.self)
    }

    /// What a store wrote down; nil when it is no address any more, which only a damaged store has.
    package init?(stored text: String) {
        if let plain = EmailAddress(plain: text) {
            self = plain
            return
        }
        guard let address = try? EmailAddress(text), address.text.isSameBytes(as: text) else { return nil }
        self = address
    }

    /// What stands after the @.
    package var domain: Substring { key[key.index(after: key.lastIndex(of: "@") ?? key.startIndex)...] }
}

extension EmailAddress {
    package static func == (one: EmailAddress, other: EmailAddress) -> Bool { one.key.isSameBytes(as: other.key) }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension EmailAddress: Masked {
    /// Addresses belong in no log.
    package var description: String { "(email address)" }
}

/// RFC 5321 §4.1.2: `Dot-string` or `Quoted-string`, in ASCII, at most 64 bytes.
private enum LocalPart {
    /// Quotes that change nothing are left away, so that one mailbox has one spelling.
    static func canonical(_ bytes: [UInt8]) throws(EmailAddress.Mistake) -> [UInt8] {
        guard (1...64).contains(bytes.count) else { throw .localPart }
        if isDotString(bytes) { return bytes }
        guard bytes.count >= 3, bytes.first == 0x22, bytes.last == 0x22 else { throw .localPart }
        var content: [UInt8] = []
        var isEscaped = false
        for byte in bytes[1..<(bytes.count - 1)] {
            guard (0x20...0x7E).contains(byte), isEscaped || byte != 0x22 else { throw .localPart }
            if !isEscaped, byte == 0x5C {
                isEscaped = true
            } else {
                content.append(byte)
                isEscaped = false
            }
        }
        guard !isEscaped else { throw .localPart }
        if isDotString(content) { return content }
        let escaped = content.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
        guard escaped.count <= 62 else { throw .localPart }
        return [0x22] + escaped + [0x22]
    }

    private static func isDotString(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { isAtomText($0) }
        }
    }

    /// `atext` of RFC 5322 §3.2.3.
    private static func isAtomText(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }
    }
}

/// The domain of an address: at least two labels, in lower-case ASCII.
private enum MailDomain {
    static func ascii(_ bytes: [UInt8]) throws(EmailAddress.Mistake) -> [UInt8] {
        let isPlain = bytes.allSatisfy { $0 < 0x80 }
        let folded = bytes.map(ASCIICase.folded)
        // What says that it is an A-label is checked too: it must be one that its U-label leads to.
        let ascii = isPlain && !hasALabel(folded) ? folded : try aLabels(bytes)
        let labels = ascii.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard ascii.count <= 253, labels.count >= 2, labels.allSatisfy(isLabel),
            let last = labels.last, !last.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .domain }
        return ascii
    }

    private static func hasALabel(_ domain: [UInt8]) -> Bool {
        domain.split(separator: 0x2E).contains { $0.starts(with: Array("xn--".utf8)) }
    }

    /// RFC 1123 §2.1: letters, digits and inner hyphens, at most 63.
    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
            && label.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// IDNA 2008 with the mapping of UTS 46, not transitional.
    private static func aLabels(_ bytes: [UInt8]) throws(EmailAddress.Mistake) -> [UInt8] {
        guard !bytes.contains(0) else { throw .domain }
        var output: UnsafeMutablePointer<UInt8>?
        let flags = Int32(IDN2_NONTRANSITIONAL.rawValue | IDN2_NFC_INPUT.rawValue)
        guard idn2_lookup_u8(bytes + [0], &output, flags) == Int32(IDN2_OK.rawValue), let output else { throw .domain }
        defer { idn2_free(output) }
        var ascii: [UInt8] = []
        var place = output
        while place.pointee != 0 {
            ascii.append(ASCIICase.folded(place.pointee))
            place += 1
        }
        return ascii
    }
}
