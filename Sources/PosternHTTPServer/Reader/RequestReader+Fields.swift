internal import PosternBase
internal import PosternHTTP

extension RequestReader {
    /// The few fields that say how to read on. Values that do not matter for that are the responder's.
    mutating func look(at field: ReceivedFields.Line, _ bytes: Span<UInt8>) throws(RequestRefusal) {
        switch field.name.count {
        case 4 where FieldSyntax.isSame(bytes, field.name, "host"):
            try takeHost(bytes, field.value)
        case 6 where FieldSyntax.isSame(bytes, field.name, "expect"):
            try takeExpectation(bytes, field.value)
        case 10 where FieldSyntax.isSame(bytes, field.name, "connection"):
            for option in FieldSyntax.elements(bytes, field.value)
            where FieldSyntax.isSame(bytes, option, "close") { head.closes = true }
        case 14 where FieldSyntax.isSame(bytes, field.name, "content-length"):
            try takeLength(bytes, field.value)
        case 17 where FieldSyntax.isSame(bytes, field.name, "transfer-encoding"):
            try takeCoding(bytes, field.value)
        default: break
        }
    }

    private mutating func takeHost(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestRefusal) {
        head.hostCount += 1
        try require(head.hostCount == 1, .hostRepeated)
        try require(HostSyntax.isValid(bytes, value), .hostMalformed)
        head.host = value
    }

    private mutating func takeExpectation(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestRefusal) {
        // A 1.0 client cannot understand the answer (RFC 9110 §10.1.1).
        guard !head.isOldVersion else { return }
        let isKnown = FieldSyntax.isSame(bytes, value, "100-continue")
        try require(isKnown, .expectationUnknown)
        head.expectsContinue = isKnown
    }

    /// RFC 9112 §6.2, §6.3: digits and nothing else. A zero in front is legal, but some read the number as octal then.
    private mutating func takeLength(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestRefusal) {
        head.lengthCount += 1
        try require(head.lengthCount == 1, .lengthRepeated)
        var length = 0
        var isMalformed = value.isEmpty || value.count > 1 && bytes[value.lowerBound] == UInt8(ascii: "0")
        var overflows = false
        for place in value {
            let byte = bytes[place]
            guard byte >= 0x30 && byte <= 0x39 else {
                isMalformed = true
                continue
            }
            let (product, isLarge) = length.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = product.addingReportingOverflow(Int(byte - 0x30))
            overflows = overflows || isLarge || isLarger
            length = overflows ? 0 : sum
        }
        try require(!isMalformed, .lengthMalformed)
        try require(!overflows, .lengthOverflow)
        head.length = length
    }

    /// RFC 9112 §6.1, §7: `chunked` alone is understood.
    private mutating func takeCoding(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestRefusal) {
        head.codingCount += 1
        try require(head.codingCount == 1, .codingRepeated)
        let codings = FieldSyntax.elements(bytes, value)
        if FieldSyntax.isSame(bytes, value, "chunked") {
            head.isChunked = true
            return
        }
        let chunked = codings.count { FieldSyntax.isSame(bytes, $0, "chunked") }
        let isLast = codings.last.map { FieldSyntax.isSame(bytes, $0, "chunked") } ?? false
        // Without chunks at the end nobody knows where the body ends.
        try require(isLast && chunked == 1, .codingMalformed)
        head.isChunked = isLast
        try require(codings.count == 1 && codings[0] == value, .codingUnknown)
    }

    /// What only the whole head can tell; then the body is next, or the request is complete. So many bytes of it are at hand.
    mutating func beginBody(_ atHand: Int) -> Step? {
        do throws(RequestRefusal) {
            try checkHead()
        } catch {
            return refuse(error)
        }
        if head.isChunked {
            (extensionBytes, trailerBytes, trailerCount) = (0, 0, 0)
            stage = .chunkSize
        } else if let length = head.length, length > 0 {
            stage = .body(left: length)
            // Where all of it is there nothing is won by asking what the head alone decides.
            if length <= atHand, !head.expectsContinue { return nil }
        } else {
            return finish()
        }
        return .head
    }

    private func checkHead() throws(RequestRefusal) {
        if head.codingCount > 0 {
            try require(!head.isOldVersion, .codingInOldVersion)
            try require(head.lengthCount == 0, .lengthBesideCoding)
        }
        try require(head.isOldVersion || head.hostCount > 0, .hostMissing)
        if let authority = head.authority, let host = head.host {
            let bytes = headBytes.span
            var isSame = authority.count == host.count
            if isSame {
                for (left, right) in zip(authority, host) {
                    isSame = isSame && ASCIICase.folded(bytes[left]) == ASCIICase.folded(bytes[right])
                }
            }
            try require(isSame, .hostDiffers)
        }
        if !head.isChunked, let length = head.length { try require(length <= limits.bodyBytes, .bodyTooLarge) }
    }
}
