internal import PosternBase

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
                var fields = HTTP.Fields()
                guard fields.append(name, value), let line = fields.lines.first else { return nil }
                self = line
            }

            fileprivate init(name: String, value: String) {
                self.name = name
                self.value = value
            }
        }

        /// The lines as they stand in a message, each with its CRLF. An answer is written from them as they are, and only who
        /// looks at a field makes texts of it.
        package private(set) var bytes: [UInt8] = []
        /// Whether one of them frames a message or speaks about the connection, which is the business of who carries it.
        package private(set) var hasFramingField = false

        /// No fields.
        public init() {}

        /// All field lines in order.
        public var lines: [Field] { pieces.map { Field(name: text($0.name), value: text($0.value)) } }

        /// Adds a line after the others; false when the field is not a valid one and was left out.
        @discardableResult
        public mutating func append(_ name: String, _ value: String) -> Bool {
            name.utf8Span.span.withUnsafeBufferPointer { name in
                value.utf8Span.span.withUnsafeBufferPointer { append(name, $0) }
            }
        }

        /// The same for a value that is at hand as UTF-8.
        @discardableResult
        package mutating func append(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
            append(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value)
        }

        private mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
            let value = FieldText.trimmed(value)
            guard FieldText.isToken(name), FieldText.isValue(value) else { return false }
            hasFramingField = hasFramingField || FramingField.isOne(name)
            write(name, value)
            return true
        }

        /// In one piece: to append bit by bit is to look at the array each time.
        private mutating func write(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
            let start = bytes.count
            bytes += repeatElement(0x20, count: name.count + value.count + 4)
            bytes.withUnsafeMutableBufferPointer { bytes in
                let line = UnsafeMutableBufferPointer(rebasing: bytes[start...])
                var place = line.update(fromContentsOf: name)
                line[place] = UInt8(ascii: ":")
                place = line[(place + 2)...].update(fromContentsOf: value)
                line[place] = 0x0D
                line[place + 1] = 0x0A
            }
        }

        /// The values of every line of that name, in order.
        public func values(_ name: String) -> [String] { found(name).map { text($0.value) } }

        /// The value when exactly one line has that name; nil for none and for several, which only a list may have.
        public func single(_ name: String) -> String? {
            let found = found(name)
            return found.count == 1 ? found.first.map { text($0.value) } : nil
        }

        /// The same fields but for those that frame a message.
        package var withoutFraming: HTTP.Fields {
            guard hasFramingField else { return self }
            var rest = HTTP.Fields()
            for piece in pieces where !bytes[piece.name].withUnsafeBufferPointer(FramingField.isOne) {
                rest.bytes += bytes[piece.line]
            }
            return rest
        }

        // MARK: - Lines

        private typealias Piece = (line: Range<Int>, name: Range<Int>, value: Range<Int>)

        /// Where each line and its parts stand. No name holds a colon, and no value a CR.
        private var pieces: [Piece] {
            var pieces: [Piece] = []
            var start = 0
            while start < bytes.count {
                let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
                let end = bytes[colon...].firstIndex(of: 0x0D) ?? bytes.count
                pieces.append((start..<min(end + 2, bytes.count), start..<colon, min(colon + 2, end)..<end))
                start = end + 2
            }
            return pieces
        }

        private func found(_ name: String) -> [Piece] {
            pieces.filter { piece in
                name.utf8Span.span.withUnsafeBufferPointer { name in
                    bytes[piece.name].withUnsafeBufferPointer { ASCIICase.isSame($0, name) }
                }
            }
        }

        private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    }
}

/// The fields that frame a message or speak about the connection: the business of who carries the message.
enum FramingField {
    static func isOne(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        switch name.count {
        case 4: ASCIICase.isSame(name, "date")
        case 7: ASCIICase.isSame(name, "trailer") || ASCIICase.isSame(name, "upgrade")
        case 10: ASCIICase.isSame(name, "connection") || ASCIICase.isSame(name, "keep-alive")
        case 14: ASCIICase.isSame(name, "content-length")
        case 17: ASCIICase.isSame(name, "transfer-encoding")
        default: false
        }
    }
}

/// What may stand in a field (RFC 9110 §5.1, §5.5).
private enum FieldText {
    static func isToken(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in name where !isToken(byte) { return false }
        return !name.isEmpty
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        // One bit for each byte that may stand in a token, those below 64 first.
        let half: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && half &>> UInt64(byte & 63) & 1 != 0
    }

    /// Every byte is looked at, so that several can be looked at together.
    static func isValue(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        var dirt: UInt8 = 0
        for byte in value { dirt |= (byte < 0x20 ? 1 : 0) ^ (byte == 0x09 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
        return dirt == 0
    }

    static func trimmed(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var (start, end) = (0, value.count)
        while start < end, isBlank(value[start]) { start += 1 }
        while end > start, isBlank(value[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(rebasing: value[start..<end])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
