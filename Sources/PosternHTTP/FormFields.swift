/// The fields of a form or of a query (`application/x-www-form-urlencoded`), read strictly and in their order.
package struct FormFields: Sendable {
    package static let maximumCount = 64

    package let all: [(name: String, value: String)]

    /// nil when an escape is broken, a text is not UTF-8, or there are more than 64 fields.
    package init?(_ bytes: [UInt8]) {
        var all: [(name: String, value: String)] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard all.count < Self.maximumCount, let name = sides.first.flatMap(Self.decode),
                let value = sides.count > 1 ? sides.last.flatMap(Self.decode) : ""
            else { return nil }
            all.append((name, value))
        }
        self.all = all
    }

    /// The value of the field of that name; the first where there are several.
    package subscript(name: String) -> String? {
        all.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The first of `names` that stands there more than once (RFC 6749 §3.1 allows none to).
    package func repeated(among names: [String]) -> String? {
        names.first { name in all.count { $0.name.utf8.elementsEqual(name.utf8) } > 1 }
    }

    /// The fields as they go into a body, or behind a question mark.
    package static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    // MARK: - Escapes

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// A space becomes `%20`, which every reader takes for one; not all take a plus sign for it.
    private static func encode(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}
