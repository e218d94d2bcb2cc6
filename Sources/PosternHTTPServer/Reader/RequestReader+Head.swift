internal import PosternHTTP

extension RequestReader {
    private enum HeadEnd {
        case missing
        case found(Int)
        case refused(RequestRefusal)
    }

    mutating func readHead(_ input: borrowing Span<UInt8>, _ offset: inout Int) -> Step? {
        guard offset < input.count else { return .needsMore }
        guard pending.isEmpty else { return readMoreOfHead(input, &offset) }
        // The usual case: the whole head has come at once and is read where it lies.
        switch takeLines(input.extracting(offset..<input.count)) {
        case .missing:
            pending = input.copy(offset..<input.count)
            offset = input.count
            return .needsMore
        case .found(let end):
            headBytes = input.copy(offset..<(offset + end))
            offset += end
            return beginBody()
        case .refused(let reason):
            return refuse(reason)
        }
    }

    private mutating func readMoreOfHead(_ input: borrowing Span<UInt8>, _ offset: inout Int) -> Step? {
        var bytes = pending
        pending = []
        let kept = bytes.count
        input.withUnsafeBufferPointer { bytes += $0[offset...] }
        switch takeLines(bytes.span) {
        case .missing:
            pending = bytes
            offset = input.count
            return .needsMore
        case .found(let end):
            bytes.removeSubrange(end...)
            headBytes = bytes
            offset += end - kept
            return beginBody()
        case .refused(let reason):
            return refuse(reason)
        }
    }

    /// Reads all complete lines of a head; what was read before is not read again.
    private mutating func takeLines(_ bytes: Span<UInt8>) -> HeadEnd {
        do throws(RequestRefusal) {
            while let end = bytes.nextLineFeed(from: lineStart) {
                let isLast = fieldStart > 0 ? try takeField(bytes, end) : try takeRequestLine(bytes, end)
                lineStart = end + 1
                if isLast { return .found(lineStart) }
            }
            try checkIncompleteLine(bytes.count)
            return .missing
        } catch {
            return .refused(error)
        }
    }

    /// A line that is too long already is not waited for. A single byte more may be the CR of a line that fits.
    private func checkIncompleteLine(_ count: Int) throws(RequestRefusal) {
        let length = count - lineStart
        if fieldStart == 0 {
            try require(length <= limits.requestLineBytes + 1, .requestLineTooLong)
        } else if length > 1 {
            try require(count - fieldStart < limits.headerBytes, .headerTooLarge)
        }
    }

    /// The line without its end, `end` being the line feed's place.
    func line(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(RequestRefusal) -> Range<Int> {
        guard end > start, bytes[end - 1] == FieldSyntax.carriageReturn else {
            try broken(.bareLineFeed)
            return start..<end
        }
        return start..<(end - 1)
    }

    // MARK: Fields

    /// True when it was the empty line that ends the head.
    private mutating func takeField(_ bytes: Span<UInt8>, _ end: Int) throws(RequestRefusal) -> Bool {
        if end - lineStart > 1 { try require(end + 1 - fieldStart <= limits.headerBytes, .headerTooLarge) }
        let line = try line(bytes, lineStart, end)
        if line.isEmpty { return true }
        try require(head.lines.count < limits.headerCount, .tooManyFields)
        guard let field = try field(bytes, line) else { return false }
        if head.lines.isEmpty { head.lines.reserveCapacity(8) }
        head.lines.append(field)
        try look(at: field, bytes)
        return false
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
