import PosternHTTP
import PosternHTTPServer

/// A connection's bytes mean the same however they are cut, and what is accepted keeps the rules of RFC 9112 as another, slower
/// reader sees them. The first byte chooses the limits and where to cut.
enum HTTPTarget {
    private enum Event: Equatable {
        case request(Request)
        case continues
        case refused(RequestRefusal)
        case end(RequestReader.Phase)
    }

    private struct Request: Equatable {
        let method: String, path: String, query: String?, body: [UInt8], keepsAlive: Bool, host: [String],
            other: [String]
        /// Where the bytes behind the request begin.
        let end: Int

        init(_ read: ReadRequest, _ end: Int) {
            method = read.method
            path = read.path
            query = read.query
            body = read.body
            keepsAlive = read.keepsAlive
            host = read.fields.values("Host")
            other = read.fields.values("X") + read.fields.values("Content-Length")
            self.end = end
        }
    }

    private static let small: ServerLimits = {
        var limits = ServerLimits()
        limits.requestLineBytes = 48
        limits.headerBytes = 96
        limits.headerCount = 4
        limits.bodyBytes = 24
        return limits
    }()

    static func run(_ input: Input) {
        guard let choice = input.first else { return }
        let bytes = Array(input.dropFirst())
        let limits = choice & 1 == 0 ? small : ServerLimits()
        let whole = events(bytes, limits) { bytes.count - $0 }
        require(whole == events(bytes, limits) { _ in 1 }, "http: another meaning byte by byte")
        // Pieces of changing size, which the choice begins.
        var state = UInt32(choice) &+ 1
        let pieces = events(bytes, limits) { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return 1 + Int(state >> 24) % 23
        }
        require(whole == pieces, "http: another meaning in pieces")
        checkDiscarding(whole, events(bytes, limits, discarding: true) { _ in 1 + Int(choice) % 23 })
        check(whole, bytes, limits)
    }

    /// Who throws bodies away misses their requests, and nothing else comes to mean something else.
    private static func checkDiscarding(_ whole: [Event], _ others: [Event]) {
        var left = whole[...]
        for event in others {
            switch event {
            case .continues, .end: continue
            case .request, .refused:
                let place = left.firstIndex(of: event)
                require(place != nil, "http: another meaning behind a body thrown away")
                left = place.map { left[($0 + 1)...] } ?? []
            }
        }
        if case .refused = whole.last { require(left.isEmpty, "http: no refusal behind a body thrown away") }
    }

    private static func events(
        _ bytes: [UInt8],
        _ limits: ServerLimits,
        discarding: Bool = false,
        _ size: (Int) -> Int
    ) -> [Event] {
        var reader = RequestReader(limits)
        var found: [Event] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + max(1, size(start)))
            let piece = bytes.span.extracting(start..<end)
            var offset = 0
            reading: while true {
                let before = offset
                let step = reader.read(piece, &offset)
                require(offset >= before && offset <= piece.count, "http: read outside the input")
                switch step {
                case .needsMore:
                    require(offset == piece.count, "http: wants more and has not read all")
                    break reading
                // Told of only where the body has not come with it, but to a client that waits always.
                case .head:
                    if reader.readHead.expectsContinue { found.append(.continues) }
                    if discarding, reader.discardBody(upTo: 16) {
                        require(reader.phase == .discarding, "http: not thrown away")
                    }
                case .request:
                    guard let request = reader.takeRequest() else { fatalError("finding: http: no request") }
                    found.append(.request(Request(request, start + offset)))
                case .refused(let reason):
                    require(reader.phase == .refused, "http: goes on after a refusal")
                    return found + [.refused(reason)]
                }
            }
            start += piece.count
        }
        return found + [.end(reader.phase)]
    }

    private static func check(_ events: [Event], _ bytes: [UInt8], _ limits: ServerLimits) {
        var start = 0
        for event in events {
            guard case .request(let request) = event else { continue }
            check(request, bytes[start..<request.end], limits)
            start = request.end
        }
    }

    private static func check(_ request: Request, _ bytes: ArraySlice<UInt8>, _ limits: ServerLimits) {
        require(request.path.hasPrefix("/") || request.path == "*" && request.method == "OPTIONS", "http: no path")
        require(request.method.utf8.allSatisfy { $0 == 0x2D || (0x41...0x5A).contains($0) }, "http: the method")
        require(!request.path.utf8.contains { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x23 }, "http: the path")
        require(request.body.count <= limits.bodyBytes, "http: the body is too large")
        let text = bytes.map { $0 }
        var lines: [[UInt8]] = [[]]
        var place = text.starts(with: [13, 10]) ? 2 : 0
        while place < text.count {
            if text[place] == 10 {
                require(lines[lines.count - 1].last == 13, "http: a bare line feed")
                lines[lines.count - 1].removeLast()
                if lines[lines.count - 1].isEmpty { break }
                lines.append([])
            } else {
                lines[lines.count - 1].append(text[place])
            }
            place += 1
        }
        require(place < text.count, "http: a head without end")
        checkHead(request, lines, limits)
        // The body of a length is what lies behind the head.
        if let length = request.other.last, let count = Int(length), request.other.count == 1,
            count == request.body.count
        {
            require(text.dropFirst(place + 1).elementsEqual(request.body), "http: another body")
        }
    }

    private static func checkHead(_ request: Request, _ lines: [[UInt8]], _ limits: ServerLimits) {
        require(lines.count - 2 <= limits.headerCount, "http: too many fields")
        require(lines[0].count <= limits.requestLineBytes, "http: the request line is too long")
        for line in lines {
            require(line.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }, "http: a control byte in the head")
        }
        var (lengths, codings, hosts) = (0, 0, 0)
        for line in lines.dropFirst().dropLast() {
            require(line.first != 32 && line.first != 9, "http: a folded line")
            // As bytes: a colon and a mark that combines with it would be one character.
            let name = line.prefix { $0 != 58 }
            require(name.count < line.count && !name.isEmpty, "http: a line without a name")
            require(!name.contains { $0 == 32 || $0 == 9 }, "http: a blank in a name")
            switch String(decoding: name, as: UTF8.self).lowercased() {
            case "content-length": lengths += 1
            case "transfer-encoding": codings += 1
            case "host": hosts += 1
            default: break
            }
        }
        require(lengths + codings <= 1, "http: two ways to tell the length")
        let isOld = lines[0].last == UInt8(ascii: "0")
        require(hosts == 1 || isOld && hosts == 0, "http: not one host")
        require(request.host.count == hosts, "http: the host is not found")
        require(!isOld || !request.keepsAlive && codings == 0, "http: 1.0 that stays")
    }
}
