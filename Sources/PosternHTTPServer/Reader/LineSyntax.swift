internal import PosternHTTP

/// Lines and fields (RFC 9112 §2.2, §5), read by the rules that are left.
///
/// These are no methods of the reader: it is large, and Swift copies it for each call of one that does not change it.
extension DisabledRules {
    /// Throws, unless a test left the rule out.
    @inline(never)
    func broken(_ rule: RequestRefusal) throws(RequestRefusal) {
        guard contains(rule) else { throw rule }
    }

    /// The line without its end, `end` being the line feed's place.
    func line(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(RequestRefusal) -> Range<Int> {
        guard end > start, bytes[end - 1] == FieldSyntax.carriageReturn else {
            try broken(.bareLineFeed)
            return start..<end
        }
        return start..<(end - 1)
    }

    /// Splits a field line (RFC 9112 §5); nil for a folded one where a test lets it pass.
    func field(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestRefusal) -> ReceivedFields.Line? {
        if FieldSyntax.isBlank(bytes[line.lowerBound]) {
            try broken(.obsoleteFold)
            return nil
        }
        var place = line.lowerBound
        while place < line.upperBound, FieldSyntax.isToken(bytes[place]) { place += 1 }
        var name = line.lowerBound..<place
        if place < line.upperBound, FieldSyntax.isBlank(bytes[place]) {
            try broken(.spaceBeforeColon)
            while place < line.upperBound, FieldSyntax.isBlank(bytes[place]) { place += 1 }
        }
        if name.isEmpty || place == line.upperBound || bytes[place] != UInt8(ascii: ":") {
            try checkText(bytes, line)
            try broken(.fieldNameMalformed)
            while place < line.upperBound, bytes[place] != UInt8(ascii: ":") { place += 1 }
            name = line.lowerBound..<place
        }
        let value = min(place + 1, line.upperBound)..<line.upperBound
        try checkText(bytes, value)
        return ReceivedFields.Line(name: name, value: FieldSyntax.trimmed(bytes, value))
    }

    /// No control bytes (RFC 9110 §5.5, RFC 9112 §2.2).
    func checkText(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestRefusal) {
        if bytes.isClean(range) { return }
        for place in range where FieldSyntax.isControl(bytes[place]) {
            try broken(bytes[place] == FieldSyntax.carriageReturn ? .bareCarriageReturn : .controlByte)
        }
    }
}
