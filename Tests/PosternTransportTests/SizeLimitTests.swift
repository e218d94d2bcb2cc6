import Foundation
import PosternHTTP
import PosternTestSupport
import PosternTransport
import Testing

@Suite struct SizeLimitTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    enum Framing: String, CaseIterable, Sendable {
        case length
        case chunks
    }

    private func answer(_ framing: Framing, count: Int) -> String {
        let body = String(repeating: "x", count: count)
        let start = "HTTP/1.1 200 OK\r\n"
        return switch framing {
        case .length: start + "Content-Length: \(count)\r\n\r\n" + body
        case .chunks:
            start + "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
        }
    }

    @Test(arguments: Framing.allCases, [(1, 1), (1_000, 1_000), (262_144, 262_144)])
    func theLastByteThatFits(framing: Framing, sizes: (limit: Int, count: Int)) async throws {
        let path = "/size/fits/\(framing)/\(sizes.count)"
        try await server.set(path, .raw(answer(framing, count: sizes.count)))
        let client = try CurlClient.test { $0.maximumBodyBytes = sizes.limit }
        let response = try await client.send(HTTP.Request(.get, server.url(path)))
        #expect(response.body.count == sizes.count)
    }

    @Test(arguments: Framing.allCases, [(1, 2), (1_000, 1_001), (262_144, 262_145)])
    func oneByteMore(framing: Framing, sizes: (limit: Int, count: Int)) async throws {
        let path = "/size/more/\(framing)/\(sizes.count)"
        try await server.set(path, .raw(answer(framing, count: sizes.count)))
        let client = try CurlClient.test { $0.maximumBodyBytes = sizes.limit }
        #expect(await client.failure(server.url(path))?.code == .tooLarge)
    }

    /// What announces too much is not waited for, and what never ends is cut off.
    @Test func anEndlessBody() async throws {
        let piece = Data(repeating: 0x20, count: 65_536)
        let start = "HTTP/1.1 200 OK\r\n"
        let chunk = Data("10000\r\n".utf8) + piece + Data("\r\n".utf8)
        for (name, head, piece) in [
            ("length", "Content-Length: 99999999999\r\n\r\n", piece),
            ("chunks", "Transfer-Encoding: chunked\r\n\r\n", chunk),
        ] {
            let path = "/size/endless/\(name)"
            try await server.set(path, .steps(.send(Data((start + head).utf8)), .repeat(piece, every: 0)))
            let failure = await (try CurlClient.test()).failure(server.url(path))
            #expect(failure?.code == .tooLarge, "\(name)")
            #expect(try await server.wait(path, closed: 1))
        }
    }

    /// Ten megabytes of zeros are refused by their field, before a byte of them is unpacked; without the field they are
    /// the few bytes that they are.
    @Test func aBombStaysPacked() async throws {
        let path = "/size/bomb"
        let client = try CurlClient.test()
        try await server.set(path, .bomb(10_000_000, isNamed: true), .bomb(10_000_000, isNamed: false))
        #expect(await client.failure(server.url(path))?.code == .malformed)
        let response = try await client.send(HTTP.Request(.get, server.url(path)))
        #expect(response.body.count < 20_000)
        #expect(response.body.starts(with: [0x1F, 0x8B]))
    }

    private func head(count: Int, lineCount: Int) -> String {
        let start = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n"
        var left = count - start.utf8.count - 2
        var lines = ""
        for index in 0..<lineCount {
            let share = index == lineCount - 1 ? left : left / (lineCount - index)
            lines += "X: " + String(repeating: "a", count: share - 5) + "\r\n"
            left -= share
        }
        return start + lines + "\r\n"
    }

    @Test(arguments: [(1_024, 1), (1_024, 20), (65_536, 1), (65_536, 1_000)])
    func theHeaderBlockIsBounded(limit: Int, lineCount: Int) async throws {
        let client = try CurlClient.test { $0.maximumHeadBytes = limit }
        for (count, code) in [(limit, nil), (limit + 1, HTTP.ClientError.Code.tooLarge)] {
            let path = "/size/head/\(count)/\(lineCount)"
            try await server.set(path, .raw(head(count: count, lineCount: lineCount) + "x"))
            let failure = await client.failure(server.url(path))
            #expect(failure?.code == code, "\(String(describing: failure))")
        }
    }

    /// Interim answers and trailers are not another purse, and libcurl has a limit of its own for one line.
    @Test func otherHeadersCountToo() async throws {
        let early = "HTTP/1.1 103 Early\r\nX: \(String(repeating: "a", count: 300))\r\n\r\n"
        let trailers = String(repeating: "X: \(String(repeating: "a", count: 300))\r\n", count: 4)
        let client = try CurlClient.test { $0.maximumHeadBytes = 1_024 }
        for (name, text) in [
            ("interim", String(repeating: early, count: 4) + answer(.length, count: 1)),
            ("trailers", answer(.chunks, count: 1).dropLast() + trailers + "\r\n"),
            ("long", "HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 300_000))\r\n\r\n"),
            ("status", "HTTP/1.1 200 \(String(repeating: "a", count: 300_000))\r\n\r\n"),
        ] {
            let path = "/size/other/\(name)"
            try await server.set(path, .raw(String(text)))
            let failure = await client.failure(server.url(path))
            #expect(failure?.code == .tooLarge, "\(name): \(String(describing: failure))")
        }
    }

    @Test func anEndlessHeader() async throws {
        let path = "/size/endless-header"
        let line = Data("X: \(String(repeating: "a", count: 100))\r\n".utf8)
        try await server.set(path, .steps(.send(Data("HTTP/1.1 200 OK\r\n".utf8)), .repeat(line, every: 0)))
        #expect(await (try CurlClient.test()).failure(server.url(path))?.code == .tooLarge)
        #expect(try await server.wait(path, closed: 1))
    }
}
