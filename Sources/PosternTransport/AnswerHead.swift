internal import PosternBase
internal import PosternHTTP

/// Reads status line and header fields as libcurl hands them over, line by line, and judges what libcurl is lax about.
///
/// Interim answers (1xx) are passed over; what comes after the final header block are trailers, which are only counted.
struct AnswerHead {
    /// A server may send any number of interim answers (RFC 9110 §15.2); we stop listening after these.
    static let maximumInterimCount = 8

    private enum Place { case statusLine, fields, end }

    private(set) var status = 0
    private(set) var fields = HTTP.Fields()
    private let maximumBytes: Int
    private let maximumBodyBytes: Int
    private var byteCount = 0
    private var interimCount = 0
    private var place = Place.statusLine
    private var isOldVersion = false

    /// Whether the final answer's header block has ended.
    var isComplete: Bool { place == .end }

    init(_ settings: NetworkSettings) {
        maximumBytes = settings.maximumHeadBytes
        maximumBodyBytes = settings.maximumBodyBytes
    }

    /// Takes one line with its end.
    mutating func take(_ line: UnsafeBufferPointer<UInt8>) throws(HTTP.ClientError) {
        byteCount += line.count
        guard byteCount <= maximumBytes else {
            throw HTTP.ClientError(.tooLarge, "The header fields are larger than \(maximumBytes) bytes")
        }
        guard place != .end else { return }
        guard line.count >= 2, line[line.count - 2] == 0x0D, line[line.count - 1] == 0x0A else {
            throw Self.malformed("a line of the header does not end in CR LF")
        }
        let content = UnsafeBufferPointer(rebasing: line[..<(line.count - 2)])
        switch place {
        case .statusLine: try takeStatus(content)
        case .fields where content.isEmpty: try endBlock()
        case .fields: try takeField(content)
        case .end: break
        }
    }

    /// `HTTP/1.1 200 OK`; the blank after the status is left out by some (RFC 9112 §4).
    private mutating func takeStatus(_ line: UnsafeBufferPointer<UInt8>) throws(HTTP.ClientError) {
        let bytes = Array(line)
        let isNew = bytes.starts(with: "HTTP/1.1 ".utf8)
        guard isNew || bytes.starts(with: "HTTP/1.0 ".utf8), bytes.count >= 12, bytes.count == 12 || bytes[12] == 0x20,
            let status = DecimalDigits.value(of: String(decoding: bytes[9..<12], as: UTF8.self)),
            (100...599).contains(status), status != 101
        else { throw Self.malformed("the status line is not one of HTTP/1.1 with a status that was asked for") }
        self.status = Int(status)
        isOldVersion = !isNew
        place = .fields
    }

    private mutating func takeField(_ line: UnsafeBufferPointer<UInt8>) throws(HTTP.ClientError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            fields.append(Self.text(line[..<colon]), Self.text(line[(colon + 1)...]))
        else { throw Self.malformed("a line of the header is no field") }
    }

    /// UTF-8 where it is that, else each byte a character, so that different bytes stay different.
    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private mutating func endBlock() throws(HTTP.ClientError) {
        guard status < 200 else {
            try checkFraming()
            place = .end
            return
        }
        interimCount += 1
        guard interimCount <= Self.maximumInterimCount else {
            throw Self.malformed("there are more than \(Self.maximumInterimCount) interim answers")
        }
        fields = HTTP.Fields()
        place = .statusLine
    }

    /// One way to know where the body ends, and no coding that we did not ask for (RFC 9112 §6.3, RFC 9110 §8.4).
    private func checkFraming() throws(HTTP.ClientError) {
        let transferCodings = fields.values("Transfer-Encoding")
        let lengths = fields.values("Content-Length")
        if !transferCodings.isEmpty {
            guard transferCodings.count == 1, Self.isWord(transferCodings[0], "chunked"), !isOldVersion else {
                throw Self.malformed("the transfer coding is not chunked alone")
            }
            guard lengths.isEmpty else { throw Self.malformed("it has a length and a transfer coding") }
        }
        let values = lengths.map(DecimalDigits.value(of:))
        guard values.allSatisfy({ $0 != nil && $0 == values[0] }) else {
            throw Self.malformed("Content-Length is no number, or there are several different ones")
        }
        // The end of the connection ends a body too, but libcurl 7.88 does not tell the end of TLS from a cut wire, and who
        // can cut it could shorten the answer (RFC 9112 §9.8).
        guard !transferCodings.isEmpty || !lengths.isEmpty || status == 204 || status == 304 else {
            throw Self.malformed("it has neither a length nor chunks, so nobody could tell whether it is whole")
        }
        guard fields.values("Content-Encoding").allSatisfy({ Self.isWord($0, "identity") }) else {
            throw Self.malformed("the body has a content coding, and none was asked for")
        }
        if let length = values.first.flatMap({ $0 }), length > Int64(maximumBodyBytes), status != 204, status != 304 {
            throw Self.bodyTooLarge(maximumBodyBytes)
        }
    }

    private static func isWord(_ value: String, _ word: String) -> Bool {
        value.utf8.elementsEqual(word.utf8) { $0 | 0x20 == $1 }
    }

    static func malformed(_ what: String) -> HTTP.ClientError {
        HTTP.ClientError(.malformed, "The answer is not well-formed HTTP: \(what)")
    }

    static func bodyTooLarge(_ maximum: Int) -> HTTP.ClientError {
        HTTP.ClientError(.tooLarge, "The body is larger than \(maximum) bytes")
    }
}
