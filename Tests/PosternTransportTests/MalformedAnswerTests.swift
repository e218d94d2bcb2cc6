import Foundation
import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

/// Bytes on the connection, and what becomes of them.
struct AnswerCase: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let end: TestAnswer.End
    let code: HTTP.ClientError.Code?
    let body: String

    init(
        _ name: String,
        _ text: String,
        _ end: TestAnswer.End = .notify,
        is code: HTTP.ClientError.Code? = .malformed,
        body: String = "{\"keys\":[]}"
    ) {
        (self.name, self.text, self.end, self.code, self.body) = (name, text, end, code, body)
    }

    var testDescription: String { name }
}

private let ok = "HTTP/1.1 200 OK\r\n"
private let body = "{\"keys\":[]}"
private let whole = ok + "Content-Length: 11\r\n\r\n" + body
private let chunked = ok + "Transfer-Encoding: chunked\r\n"
private let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"

private let accepted: [AnswerCase] = [
    .init("a length", whole, is: nil),
    .init("the same length twice", ok + "Content-Length: 11\r\nContent-Length: 11\r\n\r\n" + body, is: nil),
    .init("chunks", chunked + "\r\n5\r\n{\"key\r\n6\r\ns\":[]}\r\n0\r\n\r\n", is: nil),
    .init("chunks with extensions and trailers", chunked + "\r\nB;a=b\r\n\(body)\r\n0\r\nA: b\r\n\r\n", is: nil),
    .init("upper case", ok + "TRANSFER-ENCODING: Chunked\r\n\r\nb\r\n\(body)\r\n0\r\n\r\n", is: nil),
    .init("HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 11\r\n\r\n" + body, is: nil),
    .init("no reason", "HTTP/1.1 200\r\nContent-Length: 11\r\n\r\n" + body, is: nil),
    .init("identity", ok + "Content-Encoding: Identity\r\nContent-Length: 11\r\n\r\n" + body, is: nil),
    .init("eight interim answers", String(repeating: early, count: 8) + whole, is: nil),
    .init("100 unasked", "HTTP/1.1 100 Continue\r\n\r\n" + whole, is: nil),
    .init("204 has no body", "HTTP/1.1 204 No\r\nContent-Length: 11\r\n\r\n" + body, is: nil, body: ""),
    .init("304 has no body", "HTTP/1.1 304 No\r\nContent-Length: 999999999\r\n\r\n", is: nil, body: ""),
    .init("bytes that are no UTF-8", ok + "Content-Length: 11\r\nX: é\r\n\r\n" + body, is: nil),
]

private let refused: [AnswerCase] = [
    .init("two lengths", ok + "Content-Length: 11\r\nContent-Length: 12\r\n\r\n\(body)x"),
    .init("two lengths, the other first", ok + "Content-Length: 12\r\nContent-Length: 11\r\n\r\n\(body)x"),
    .init("a list of lengths", ok + "Content-Length: 11, 11\r\n\r\n" + body),
    .init("a negative length", ok + "Content-Length: -11\r\n\r\n" + body),
    .init("a signed length", ok + "Content-Length: +11\r\n\r\n" + body),
    .init("an endless length", ok + "Content-Length: 18446744073709551627\r\n\r\n" + body),
    .init("no length", ok + "Content-Length: \r\n\r\n" + body),
    .init("a hexadecimal length", ok + "Content-Length: 0xb\r\n\r\n" + body),
    .init("length and chunks", chunked + "Content-Length: 11\r\n\r\nB\r\n\(body)\r\n0\r\n\r\n"),
    .init("chunked twice", chunked + "Transfer-Encoding: chunked\r\n\r\nB\r\n\(body)\r\n0\r\n\r\n"),
    .init("gzip and chunked", ok + "Transfer-Encoding: gzip, chunked\r\n\r\nB\r\n\(body)\r\n0\r\n\r\n"),
    .init("another transfer coding", ok + "Transfer-Encoding: xchunked\r\n\r\n" + body),
    .init("chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nB\r\n\(body)\r\n0\r\n\r\n"),
    .init("a chunk's size is no number", chunked + "\r\nxyz\r\n\(body)\r\n0\r\n\r\n"),
    .init("a chunk's size is too large", chunked + "\r\nFFFFFFFFFFFFFFFFF\r\n\(body)\r\n0\r\n\r\n"),
    .init("a chunk is longer than its size", chunked + "\r\n5\r\n\(body)\r\n0\r\n\r\n"),
    .init("the last chunk is missing", chunked + "\r\nB\r\n\(body)\r\n"),
    .init("the end after the last chunk is missing", chunked + "\r\nB\r\n\(body)\r\n0\r\n"),
    .init("ends in a chunk", chunked + "\r\nB\r\n{\"keys"),
    .init("shorter than its length", ok + "Content-Length: 12\r\n\r\n" + body),
    .init("shorter than its length and cut", ok + "Content-Length: 12\r\n\r\n" + body, .cut),
    .init("ended by the connection", ok + "\r\n" + body),
    .init("ended by the connection, and cut", ok + "\r\n" + body, .cut),
    .init("HTTP/1.0 ended by the connection", "HTTP/1.0 200 OK\r\n\r\n" + body),
    .init("reset in the body", ok + "Content-Length: 12\r\n\r\n" + body, .reset),
    .init("gzip", ok + "Content-Encoding: gzip\r\nContent-Length: 11\r\n\r\n" + body),
    .init("gzip and identity", ok + "Content-Encoding: identity, gzip\r\nContent-Length: 11\r\n\r\n" + body),
    .init(
        "gzip on the second line",
        ok + "Content-Encoding: identity\r\nContent-Encoding: br\r\nContent-Length: 11\r\n\r\n" + body),
    .init("nine interim answers", String(repeating: early, count: 9) + whole),
    .init("101", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n" + whole),
    .init("interim answers alone", early),
    .init("nothing", ""),
    .init("nothing, and cut", "", .cut),
    .init("nothing, and reset", "", .reset),
    .init("ends in the status line", "HTTP/1.1 2"),
    .init("ends in the header", ok + "Content-Le"),
    .init("ends before the empty line", ok + "Content-Length: 11\r\n"),
    .init("HTTP/0.9", "<html>no header at all</html>"),
    .init("another protocol", "SSH-2.0-OpenSSH_9.2\r\n"),
    .init("HTTP/2 in plain sight", "HTTP/2 200\r\nContent-Length: 11\r\n\r\n" + body),
    .init("HTTP/1.2", "HTTP/1.2 200 OK\r\nContent-Length: 11\r\n\r\n" + body),
    .init("status 99", "HTTP/1.1 099 OK\r\nContent-Length: 11\r\n\r\n" + body),
    .init("status 600", "HTTP/1.1 600 OK\r\nContent-Length: 11\r\n\r\n" + body),
    .init("a status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 11\r\n\r\n" + body),
    .init("a status that is no number", "HTTP/1.1 2x0 OK\r\nContent-Length: 11\r\n\r\n" + body),
    .init("a blank before the colon", ok + "Content-Length : 11\r\n\r\n" + body),
    .init("a line without a colon", ok + "Content-Length: 11\r\nnothing\r\n\r\n" + body),
    .init("a folded line", ok + "Content-Length: 11\r\nX: a\r\n b\r\n\r\n" + body),
    .init("a lone line feed", ok + "Content-Length: 11\nX: a\r\n\r\n" + body),
    .init("a lone carriage return", ok + "Content-Length: 11\r\nX: a\rb\r\n\r\n" + body),
    .init("a zero byte in the header", ok + "Content-Length: 11\r\nX: a\0b\r\n\r\n" + body),
    .init("a field without a name", ok + "Content-Length: 11\r\n: a\r\n\r\n" + body),
]

@Suite struct MalformedAnswerTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    @Test(arguments: accepted + refused)
    func answerOverTLS(testCase: AnswerCase) async throws {
        let path = "/malformed/\(testCase.name.filter { $0.isLetter || $0.isNumber })"
        try await server.set(path, .raw(testCase.text, close: testCase.end))
        let client = try CurlClient.test()
        guard let code = testCase.code else {
            let response = try await client.send(HTTP.Request(.get, server.url(path)))
            #expect(String(decoding: response.body, as: UTF8.self) == testCase.body)
            return
        }
        let failure = await client.failure(server.url(path))
        #expect(failure?.code == code, "\(String(describing: failure))")
        // A body is never in a message.
        #expect(failure?.message.contains("keys") == false)
    }

    /// An answer that was not asked for and came with another is not taken for the answer to the next request.
    @Test func aSecondAnswerIsNobodys() async throws {
        let path = "/malformed/second"
        let stranger = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nstranger"
        try await server.set(path, .steps(.send(Data((whole + stranger).utf8))), .answer(200, body: "own"))
        let client = try CurlClient.test()
        let first = try await client.send(HTTP.Request(.get, server.url(path)))
        #expect(String(decoding: first.body, as: UTF8.self) == body)
        let second = try await client.send(HTTP.Request(.get, server.url(path)))
        #expect(String(decoding: second.body, as: UTF8.self) == "own")
    }

    @Test func bytesThatAreNoUTF8StayDifferent() async throws {
        let path = "/malformed/latin"
        let head = Data("HTTP/1.1 204 No\r\nETag: \"".utf8)
        try await server.set(
            path, .steps(.send(head + [0xE9] + Data("\"\r\n\r\n".utf8))),
            .steps(.send(head + [0xE8] + Data("\"\r\n\r\n".utf8)))
        )
        let client = try CurlClient.test()
        let first = try await client.send(HTTP.Request(.get, server.url(path)))
        let second = try await client.send(HTTP.Request(.get, server.url(path)))
        #expect(first.fields.single("ETag") == "\"\u{E9}\"")
        #expect(second.fields.single("ETag") == "\"\u{E8}\"")
    }
}
