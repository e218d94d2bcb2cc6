extension HTTP {
    /// The header fields of a message, in the order in which they came (RFC 9110 §5).
    ///
    /// Names are compared without regard to ASCII case. A field that could break a message apart (CR, LF, NUL, a name that
    /// is no token) cannot be put in.
    public struct Fields: Sendable, Equatable {
        /// One field line.
        public struct Field: Sendable, Equatable {
            /// The name as it was given, such as `Cache-Control`.
            public let name: String
            /// The value without blanks at its ends.
            public let value: String

            /// A field, or nil when `name` is no token or `value` holds a control character (RFC 9110 §5.1, §5.5).
            public init?(_ name: String, _ value: String) {
                let trimmed = HTTP.Fields.trimmed(value)
                guard !name.isEmpty, HTTP.Fields.all(name, HTTP.Fields.isToken),
                    HTTP.Fields.all(trimmed, { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 })
                else { return nil }
                self.name = name
                self.value = trimmed
            }
        }

        /// All field lines in order.
        public private(set) var lines: [Field] = []

        /// No fields.
        public init() {}

        /// Adds a line after the others; false when the field is not a valid one and was left out.
        @discardableResult
        public mutating func append(_ name: String, _ value: String) -> Bool {
            guard let field = Field(name, value) else { return false }
            lines.append(field)
            return true
        }

        /// The values of every line of that name, in order.
        public func values(_ name: String) -> [String] {
            lines.filter { Self.isSameName($0.name, name) }.map(\.value)
        }

        /// The value when exactly one line has that name; nil for none and for several, which only a list may have.
        public func single(_ name: String) -> String? {
            let found = values(name)
            return found.count == 1 ? found.first : nil
        }

        /// Whether two names are the same field.
        private static func isSameName(_ left: String, _ right: String) -> Bool {
            left.utf8.elementsEqual(right.utf8) { ASCIICase.folded($0) == ASCIICase.folded($1) }
        }

        private static func trimmed(_ value: String) -> String {
            let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
            guard let first = value.utf8.first, let last = value.utf8.last, isBlank(first) || isBlank(last) else {
                return value
            }
            var text = value.utf8[...]
            text = text.drop(while: isBlank)
            while let last = text.last, isBlank(last) { text.removeLast() }
            return String(text) ?? value
        }

        /// Over the bytes where they lie: an answer has a few of these.
        @inline(__always)
        private static func all(_ text: String, _ holds: (UInt8) -> Bool) -> Bool {
            var text = text
            return text.withUTF8 { bytes in
                for byte in bytes where !holds(byte) { return false }
                return true
            }
        }

        @inline(__always)
        private static func isToken(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
                true
            default: "!#$%&'*+.^_`|~".utf8.contains(byte)
            }
        }
    }
}
