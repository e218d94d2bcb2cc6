internal import PosternBase

/// The header fields of a received request, kept as the bytes that came and found when they are asked for: most are never
/// looked at.
package struct ReceivedFields: Sendable {
    /// Where a line stands in `bytes`.
    package struct Line: Sendable {
        package let name: Range<Int>
        /// Without blanks at its ends.
        package let value: Range<Int>

        package init(name: Range<Int>, value: Range<Int>) {
            self.name = name
            self.value = value
        }
    }

    private let bytes: [UInt8]
    private let lines: [Line]

    /// No fields.
    package init() {
        bytes = []
        lines = []
    }

    /// The lines stand inside `bytes`; names are tokens, values hold no control character but tabs.
    package init(_ bytes: [UInt8], _ lines: [Line]) {
        self.bytes = bytes
        self.lines = lines
    }

    /// For tests and adapters.
    package init(_ fields: HTTP.Fields) {
        var bytes: [UInt8] = []
        var lines: [Line] = []
        for field in fields.lines {
            let name = bytes.count..<(bytes.count + field.name.utf8.count)
            bytes += Array(field.name.utf8)
            let value = bytes.count..<(bytes.count + field.value.utf8.count)
            bytes += Array(field.value.utf8)
            lines.append(Line(name: name, value: value))
        }
        self.init(bytes, lines)
    }

    /// The values of every line of that name, in order; bytes that are not UTF-8 are replaced.
    package func values(_ name: String) -> [String] {
        lines.filter { isNamed($0, name) }.map(text)
    }

    /// The value when exactly one line has that name; nil for none and for several.
    package func single(_ name: String) -> String? {
        var found: Line?
        for line in lines where isNamed(line, name) {
            guard found == nil else { return nil }
            found = line
        }
        return found.map(text)
    }

    /// Calls `body` with the bytes of the value when exactly one line has that name; with nil for none and for several.
    package func withSingle<Result>(_ name: StaticString, _ body: (UnsafeBufferPointer<UInt8>?) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            var found: Line?
            for line in lines
            where line.name.count == name.utf8CodeUnitCount
                && ASCIICase.isSame(UnsafeBufferPointer(rebasing: bytes[line.name]), name)
            {
                guard found == nil else { return body(nil) }
                found = line
            }
            guard let found else { return body(nil) }
            return body(UnsafeBufferPointer(rebasing: bytes[found.value]))
        }
    }

    /// How many lines have that name.
    package func count(_ name: String) -> Int {
        lines.reduce(0) { isNamed($1, name) ? $0 + 1 : $0 }
    }

    private func text(_ line: Line) -> String {
        String(decoding: bytes[line.value], as: UTF8.self)
    }

    private func isNamed(_ line: Line, _ name: String) -> Bool {
        name.utf8Span.span.withUnsafeBufferPointer { wanted in
            bytes.withUnsafeBufferPointer { bytes in
                ASCIICase.isSame(UnsafeBufferPointer(rebasing: bytes[line.name]), wanted)
            }
        }
    }
}
