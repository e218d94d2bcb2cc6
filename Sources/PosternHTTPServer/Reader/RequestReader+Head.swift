internal import PosternHTTP

extension RequestReader {
    private enum HeadEnd {
        case missing
        case found(Int)
        case refused(RequestRefusal)
    }

    mutating func takeHead(_ input: borrowing Span<UInt8>, _ offset: inout Int) -> Step? {
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
            return beginBody(input.count - offset)
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
            return beginBody(input.count - offset)
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

    // MARK: Fields

    /// True when it was the empty line that ends the head.
    private mutating func takeField(_ bytes: Span<UInt8>, _ end: Int) throws(RequestRefusal) -> Bool {
        if end - lineStart > 1 { try require(end + 1 - fieldStart <= limits.headerBytes, .headerTooLarge) }
        let line = try disabled.line(bytes, lineStart, end)
        if line.isEmpty { return true }
        try require(head.lines.count < limits.headerCount, .tooManyFields)
        guard let field = try disabled.field(bytes, line) else { return false }
        if head.lines.isEmpty { head.lines.reserveCapacity(8) }
        head.lines.append(field)
        try look(at: field, bytes)
        return false
    }
}
