/// A second look at a text that is no JSON, for what its error alone does not tell. It reads the text anew up to there.
package struct JSONHint {
    /// Where something stands; both from 1.
    package struct Place: Equatable, Sendable {
        package let line: Int
        package let column: Int
    }

    /// What is open at the end of a text.
    package enum Opening: Equatable, Sendable {
        case object(Place)
        case array(Place)
        case string(Place)
    }

    private struct Frame {
        let offset: Int
        let isObject: Bool
    }

    private var frames: [Frame] = []
    /// Of the text between quotes that goes on at the end.
    private var openString: Int?

    /// For `duplicateName`: the name as the text writes it, and where it stands first; nil where that cannot be told.
    package static func duplicate(_ error: JSONError, in bytes: [UInt8]) -> (name: String, first: Place)? {
        guard error.reason == .duplicateName, let name = string(at: error.offset, in: bytes) else { return nil }
        let hint = JSONHint(bytes.prefix(error.offset))
        guard let object = hint.frames.last, object.isObject else { return nil }
        var depth = 0
        var first: Int?
        _ = walk(bytes.prefix(error.offset).dropFirst(object.offset)) { byte, offset in
            switch byte {
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D: depth -= 1
            case 0x22 where depth == 1 && first == nil:
                // A value that says the same has no colon after it.
                guard let other = string(at: offset, in: bytes), other == name else { return }
                let end = offset + other.count + 2
                if bytes.dropFirst(end).first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == 0x3A {
                    first = offset
                }
            default: break
            }
        }
        guard let first else { return nil }
        return (String(decoding: name, as: UTF8.self), place(of: first, in: bytes))
    }

    /// For `unexpectedEnd`: what is still open, the outermost first.
    package static func open(_ error: JSONError, in bytes: [UInt8]) -> [Opening] {
        guard error.reason == .unexpectedEnd else { return [] }
        let hint = JSONHint(bytes[...])
        return hint.frames.map {
            let place = place(of: $0.offset, in: bytes)
            return $0.isObject ? .object(place) : .array(place)
        } + (hint.openString.map { [.string(place(of: $0, in: bytes))] } ?? [])
    }

    /// The first byte that is none of a UTF-8 text, and where it stands; nil where all are.
    package static func notUTF8(_ bytes: [UInt8]) -> (byte: UInt8, place: Place)? {
        let offset: Int? = bytes.withUnsafeBufferPointer { buffer in
            var offset = 0
            while offset < buffer.count {
                if buffer[offset] < 0x80 {
                    offset += 1
                } else if let length = JSONString.sequenceLength(at: offset, in: buffer) {
                    offset += length
                } else {
                    return offset
                }
            }
            return nil
        }
        return offset.map { (bytes[$0], place(of: $0, in: bytes)) }
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        var frames: [Frame] = []
        openString = Self.walk(bytes) { byte, offset in
            switch byte {
            case 0x7B, 0x5B: frames.append(Frame(offset: offset, isObject: byte == 0x7B))
            case 0x7D, 0x5D: _ = frames.popLast()
            default: break
            }
        }
        self.frames = frames
    }

    /// Calls `body` with each bracket and each quote that begins a text; answers where one begins that does not end.
    private static func walk(_ bytes: ArraySlice<UInt8>, _ body: (UInt8, Int) -> Void) -> Int? {
        var text: Int?
        var isEscaped = false
        var isComment = false
        var last: UInt8 = 0
        for (offset, byte) in zip(bytes.indices, bytes) {
            if isComment {
                isComment = byte != 0x0A
            } else if text != nil {
                if !isEscaped, byte == 0x22 { text = nil }
                isEscaped = !isEscaped && byte == 0x5C
            } else if byte == 0x2F, last == 0x2F {
                // Of settings alone; elsewhere the error is before it.
                isComment = true
            } else if [0x22, 0x7B, 0x7D, 0x5B, 0x5D].contains(byte) {
                if byte == 0x22 { text = offset }
                body(byte, offset)
            }
            last = byte
        }
        return text
    }

    /// What stands between the quotes that begin at `offset`, escapes as they are.
    private static func string(at offset: Int, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.indices.contains(offset), bytes[offset] == 0x22 else { return nil }
        let rest = bytes.dropFirst(offset + 1)
        var isEscaped = false
        for (index, byte) in zip(rest.indices, rest) {
            if byte == 0x22, !isEscaped { return rest.prefix(upTo: index) }
            isEscaped = !isEscaped && byte == 0x5C
        }
        return nil
    }

    private static func place(of offset: Int, in bytes: [UInt8]) -> Place {
        let (line, column) = bytes.withUnsafeBufferPointer { JSONError.place(of: offset, in: $0) }
        return Place(line: line, column: column)
    }
}
