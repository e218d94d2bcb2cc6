internal import PosternBase
internal import PosternHTTP

extension RequestReader {
    mutating func readBody(_ input: borrowing Span<UInt8>, _ offset: inout Int, _ left: Int) -> Step? {
        let taken = take(input, &offset, left)
        guard taken == left else {
            stage = .body(left: left - taken)
            return .needsMore
        }
        return finish()
    }

    mutating func readChunk(_ input: borrowing Span<UInt8>, _ offset: inout Int, _ left: Int) -> Step? {
        let taken = take(input, &offset, left)
        guard taken == left else {
            stage = .chunkData(left: left - taken)
            return .needsMore
        }
        stage = .chunkEnd
        return nil
    }

    /// Adds at most so many bytes to the body and says how many.
    private mutating func take(_ input: borrowing Span<UInt8>, _ offset: inout Int, _ most: Int) -> Int {
        let count = min(most, input.count - offset)
        guard count > 0 else { return 0 }
        let range = offset..<(offset + count)
        if body.isEmpty, count == most {
            body = input.copy(range)
        } else {
            // Room for what is to come, as far as what has come speaks for it.
            if body.isEmpty { body.reserveCapacity(min(most, 4 * count)) }
            input.withUnsafeBufferPointer { body += $0[range] }
        }
        offset += count
        return count
    }

    // MARK: Chunks (RFC 9112 §7.1)

    mutating func readChunkSize(_ input: borrowing Span<UInt8>, _ offset: inout Int) -> Step? {
        do throws(RequestRefusal) {
            guard let end = try completeLine(input, &offset, Self.chunkLineBytes, .chunkLineTooLong) else {
                return .needsMore
            }
            let size = try chunkSize(end)
            pending = []
            let (total, overflows) = body.count.addingReportingOverflow(size)
            try require(!overflows && total <= limits.bodyBytes, .bodyTooLarge)
            stage = size == 0 ? .trailers : .chunkData(left: size)
            return nil
        } catch {
            return refuse(error)
        }
    }

    /// The size in the line that lies in `pending`.
    private mutating func chunkSize(_ end: Int) throws(RequestRefusal) -> Int {
        let line = try disabled.line(pending.span, 0, end)
        var size = 0
        var digits = 0
        var overflows = false
        while digits < line.upperBound, let digit = Hex.value(pending[digits]) {
            overflows = overflows || size > Int.max >> 4 || digits >= 16
            size = overflows ? 0 : size << 4 | Int(digit)
            digits += 1
        }
        try require(digits > 0, .chunkSizeMalformed)
        try require(!overflows, .chunkSizeOverflow)
        guard digits < line.upperBound else { return size }
        // Extensions mean nothing to us, but hidden lines may not be in them.
        try disabled.checkText(pending.span, digits..<line.upperBound)
        try require(pending[digits] == UInt8(ascii: ";"), .chunkSizeMalformed)
        extensionBytes += line.upperBound - digits
        try require(extensionBytes <= limits.headerBytes, .chunkExtensionsTooLarge)
        return size
    }

    mutating func readChunkEnd(_ input: borrowing Span<UInt8>, _ offset: inout Int) -> Step? {
        while pending.count < 2 {
            guard offset < input.count else { return .needsMore }
            let expected = pending.isEmpty ? FieldSyntax.carriageReturn : FieldSyntax.lineFeed
            guard input[offset] == expected || disabled.contains(.chunkEndMissing) else {
                return refuse(.chunkEndMissing)
            }
            pending.append(input[offset])
            offset += 1
        }
        pending = []
        stage = .chunkSize
        return nil
    }

    mutating func readTrailer(_ input: borrowing Span<UInt8>, _ offset: inout Int) -> Step? {
        do throws(RequestRefusal) {
            let left = max(0, limits.headerBytes - trailerBytes)
            guard let end = try completeLine(input, &offset, left, .trailersTooLarge) else { return .needsMore }
            let line = try disabled.line(pending.span, 0, end)
            trailerBytes += end + 1
            if line.isEmpty {
                pending = []
                return finish()
            }
            trailerCount += 1
            try require(trailerCount <= limits.headerCount, .trailersTooLarge)
            if let field = try disabled.field(pending.span, line) {
                for name in ["host", "content-length", "transfer-encoding", "connection", "expect"] as [StaticString]
                where FieldSyntax.isSame(pending.span, field.name, name) { try disabled.broken(.trailerForbidden) }
            }
            pending = []
            return nil
        } catch {
            return refuse(error)
        }
    }

    /// Collects a line in `pending`, its line feed left out, and says where that would be; nil when it has not come.
    private mutating func completeLine(
        _ input: borrowing Span<UInt8>,
        _ offset: inout Int,
        _ limit: Int,
        _ tooLong: RequestRefusal
    ) throws(RequestRefusal) -> Int? {
        let found = input.nextLineFeed(from: offset)
        let end = found ?? input.count
        try require(pending.count + end - offset <= limit + 1, tooLong)
        input.withUnsafeBufferPointer { pending += $0[offset..<end] }
        offset = found.map { $0 + 1 } ?? end
        return found == nil ? nil : pending.count
    }
}
