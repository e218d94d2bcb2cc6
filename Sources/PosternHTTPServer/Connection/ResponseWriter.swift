internal import Glibc
internal import PosternBase
internal import PosternHTTP

/// Writes answers (RFC 9112 §4, §6).
enum ResponseWriter {
    /// - Parameters:
    ///   - isHead: the request was HEAD, so the answer tells the length of a body and has none.
    ///   - closes: the connection ends after this answer.
    ///   - most: a body of more bytes is left to the caller, who need not copy it.
    /// - Returns: whether the body is left to the caller.
    @discardableResult
    static func append(
        _ response: HTTP.Response,
        isHead: Bool,
        closes: Bool,
        date: [UInt8],
        bodyUpTo most: Int = .max,
        to output: inout [UInt8]
    ) -> Bool {
        // An interim answer is no answer; whoever gives one has a bug.
        let status = (200...599).contains(response.status) ? response.status : 500
        // RFC 9110 §15.3.5, §15.4.5: these end with their header.
        let isBodyless = status == 204 || status == 304
        appendStatusLine(status, to: &output)
        // The fields that frame a message or speak about the connection are the server's own.
        output += response.fields.hasFramingField ? response.fields.withoutFraming.bytes : response.fields.bytes
        output += date
        if !isBodyless {
            append(literal: "Content-Length: ", to: &output)
            append(response.body.count, to: &output)
            append(literal: "\r\n", to: &output)
        }
        append(literal: closes ? "Connection: close\r\n\r\n" : "\r\n", to: &output)
        guard !isBodyless, !isHead else { return false }
        guard response.body.count <= most else { return true }
        output += response.body
        return false
    }

    private static func appendStatusLine(_ status: Int, to output: inout [UInt8]) {
        if status == 200 { return append(literal: "HTTP/1.1 200 OK\r\n", to: &output) }
        append(literal: "HTTP/1.1 ", to: &output)
        append(status, to: &output)
        output.append(FieldSyntax.space)
        append(phrase(status), to: &output)
        append(literal: "\r\n", to: &output)
    }

    // In one piece, not byte by byte as collections are.

    private static func append(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { output.append(contentsOf: $0) }
    }

    private static func append(literal text: StaticString, to output: inout [UInt8]) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private static func append(_ number: Int, to output: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DecimalDigits.maximumCount) { digits in
            let start = DecimalDigits.write(UInt64(number.magnitude), toEndOf: digits)
            output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// The words of a status (RFC 9110 §15).
    static func phrase(_ status: Int) -> String { phrases[status] ?? "Unknown" }

    private static let phrases = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 303: "See Other", 304: "Not Modified",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
        413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed", 422: "Unprocessable Content",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
}
