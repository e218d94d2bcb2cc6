extension RequestReader {
    /// The request line (RFC 9112 §3): three words with one space between them. False always: a head has more lines.
    mutating func takeRequestLine(_ bytes: Span<UInt8>, _ end: Int) throws(RequestRefusal) -> Bool {
        try require(end - lineStart <= limits.requestLineBytes + 1, .requestLineTooLong)
        let line = try disabled.line(bytes, lineStart, end)
        if line.isEmpty {
            // RFC 9112 §2.2 asks for patience with one.
            emptyLines += 1
            try require(emptyLines <= 1, .emptyLines)
            return false
        }
        try disabled.checkText(bytes, line)
        let space = UInt8(ascii: " ")
        guard let first = line.first(where: { bytes[$0] == space }),
            let last = line.last(where: { bytes[$0] == space }), first + 1 < last
        else {
            throw .requestLineMalformed
        }
        try takeMethod(bytes, line.lowerBound..<first)
        try takeVersion(bytes, (last + 1)..<line.upperBound)
        try takeTarget(bytes, (first + 1)..<last)
        fieldStart = end + 1
        return false
    }

    private mutating func takeMethod(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestRefusal) {
        var isUpperCase = !range.isEmpty && range.count <= Self.longestMethod
        var isToken = !range.isEmpty
        for place in range {
            let byte = bytes[place]
            isUpperCase = isUpperCase && (byte >= 0x41 && byte <= 0x5A || byte == UInt8(ascii: "-"))
            isToken = isToken && FieldSyntax.isToken(byte)
        }
        try require(isToken, .methodMalformed)
        // Every registered method is in upper case, and this is no proxy.
        try require(isUpperCase && !FieldSyntax.isSame(bytes, range, "connect"), .methodUnknown)
        head.method = range
        head.isHead = range.count == 4 && FieldSyntax.isSame(bytes, range, "head")
    }

    private mutating func takeVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestRefusal) {
        var isVersion = range.count == 8
        if isVersion {
            var place = range.lowerBound
            "HTTP/".utf8.forEach { byte in
                isVersion = isVersion && bytes[place] == byte
                place += 1
            }
        }
        guard isVersion else { return try disabled.broken(.versionMalformed) }
        let (major, dot, minor) = (
            bytes[range.lowerBound + 5], bytes[range.lowerBound + 6], bytes[range.lowerBound + 7]
        )
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        try require(digits.contains(major) && dot == UInt8(ascii: ".") && digits.contains(minor), .versionMalformed)
        try require(major == UInt8(ascii: "1") && minor <= UInt8(ascii: "1"), .versionUnsupported)
        head.isOldVersion = minor == UInt8(ascii: "0")
    }

    /// The forms of a target (RFC 9112 §3.2): a path, an absolute URL, or an asterisk with OPTIONS.
    private mutating func takeTarget(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestRefusal) {
        for place in range {
            let byte = bytes[place]
            let isSpace = byte == FieldSyntax.space || byte == FieldSyntax.tab
            if isSpace || byte >= 0x80 || byte == UInt8(ascii: "#") {
                try disabled.broken(isSpace ? .requestLineMalformed : .targetMalformed)
            }
        }
        if bytes[range.lowerBound] == UInt8(ascii: "/") {
            splitQuery(bytes, range)
        } else if range.count == 1, bytes[range.lowerBound] == UInt8(ascii: "*"),
            FieldSyntax.isSame(bytes, head.method, "options")
        {
            head.path = range
        } else {
            try takeAbsoluteTarget(bytes, range)
        }
    }

    private mutating func takeAbsoluteTarget(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestRefusal) {
        let start = range.lowerBound
        let schemes: [StaticString] = ["http://", "https://"]
        guard
            let scheme = schemes.first(where: {
                let count = $0.utf8CodeUnitCount
                return range.count > count && FieldSyntax.isSame(bytes, start..<(start + count), $0)
            })
        else {
            head.path = range
            return try disabled.broken(.targetMalformed)
        }
        let host = start + scheme.utf8CodeUnitCount
        var end = host
        while end < range.upperBound, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        try require(HostSyntax.isValid(bytes, host..<end), .hostMalformed)
        // A path must begin with a slash, and this one is not there to point at.
        try require(end < range.upperBound && bytes[end] == UInt8(ascii: "/"), .targetMalformed)
        head.authority = host..<end
        splitQuery(bytes, end..<range.upperBound)
    }

    private mutating func splitQuery(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let mark = range.first { bytes[$0] == UInt8(ascii: "?") }
        head.path = range.lowerBound..<(mark ?? range.upperBound)
        head.query = mark.map { ($0 + 1)..<range.upperBound }
    }
}
