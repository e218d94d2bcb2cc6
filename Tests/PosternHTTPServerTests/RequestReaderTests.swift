import PosternHTTPServer
import Testing

@Suite struct RequestReaderTests {
    private func step(_ reader: inout RequestReader, _ text: String) -> (step: RequestReader.Step, read: Int) {
        let bytes = Array(text.utf8)
        var offset = 0
        let step = reader.read(bytes.span, &offset)
        return (step, offset)
    }

    @Test func phasesFollowTheBytes() {
        var reader = RequestReader(ServerLimits())
        #expect(reader.phase == .idle)
        for (text, phase) in [
            ("P", RequestReader.Phase.head), ("OST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r", .head),
            ("\n", .body), ("", .body), ("h", .body),
        ] {
            let (step, read) = step(&reader, text)
            switch step {
            // Once, when the head is there and the body is not.
            case .head: #expect(text == "\n")
            case .needsMore: #expect(text != "\n")
            default: Issue.record("\(text) is not waited for")
            }
            #expect(read == text.utf8.count)
            #expect(reader.phase == phase)
            #expect(reader.takeRequest() == nil)
        }
        // What follows a request is not read with it.
        guard case (.request, 1) = step(&reader, "iGET") else {
            Issue.record("the request is not complete")
            return
        }
        #expect(reader.phase == .idle)
        #expect(reader.takeRequest()?.body == Array("hi".utf8))
        #expect(reader.takeRequest() == nil)
    }

    @Test func aRefusalIsForEver() {
        var reader = RequestReader(ServerLimits())
        for text in ["GET /\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", ""] {
            guard case (.refused(.requestLineMalformed), _) = step(&reader, text) else {
                Issue.record("not refused")
                return
            }
            #expect(reader.phase == .refused)
        }
    }

    @Test func aWaitingClientIsNoticedOnce() {
        var reader = RequestReader(ServerLimits())
        let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
        guard case (.head, head.utf8.count) = step(&reader, head), reader.readHead.expectsContinue else {
            Issue.record("not noticed")
            return
        }
        guard case (.request, 5) = step(&reader, "0\r\n\r\n") else {
            Issue.record("not complete")
            return
        }
        // Without a body there is nothing to continue with.
        guard case (.request, _) = step(&reader, "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n") else {
            Issue.record("waits for nothing")
            return
        }
    }

    /// A head is told of by itself only where its body is still to come: then all of it or a part of it may be thrown away.
    @Test(arguments: [
        ("Content-Length: 5", "", true, true), ("Content-Length: 5", "hell", true, true),
        ("Content-Length: 5", "hello", false, true), ("Content-Length: 5", "helloGET", false, true),
        ("Content-Length: 6", "", true, false), ("Transfer-Encoding: chunked", "", true, false),
        ("Transfer-Encoding: chunked", "0\r\n\r\n", true, false), ("Content-Length: 0", "", false, true),
        ("X: y", "", false, true), ("Expect: 100-continue\r\nContent-Length: 5", "", true, false),
    ])
    func bodiesMayBeThrownAway(field: String, body: String, isTold: Bool, isDiscarded: Bool) {
        var reader = RequestReader(ServerLimits())
        let head = "POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n"
        let (step, read) = step(&reader, head + body)
        guard isTold else {
            guard case .request = step else {
                Issue.record("not complete")
                return
            }
            return
        }
        guard case .head = step, read == head.utf8.count else {
            Issue.record("not told")
            return
        }
        #expect(reader.discardBody(upTo: 5) == isDiscarded)
        guard isDiscarded else { return }
        #expect(reader.phase == .discarding)
        for byte in "hello" { _ = self.step(&reader, String(byte)) }
        #expect(reader.phase == .idle)
        _ = self.step(&reader, "GET /n HTTP/1.1\r\nHost: a\r\n\r\n")
        let next = reader.takeRequest()
        #expect(next?.path == "/n")
        #expect(next?.body == [])
    }

    @Test func headIsKnownToARefusal() {
        var reader = RequestReader(ServerLimits())
        _ = step(&reader, "HEAD / HTTP/1.1\r\nX\r\n")
        #expect(reader.phase == .refused)
        #expect(reader.isHead)
    }

    @Test func codesAreOneEach() {
        #expect(Set(RequestRefusal.allCases.map(\.rawValue)).count == RequestRefusal.allCases.count)
        #expect(RequestRefusal.allCases.count < 64)
        #expect(
            Set(RequestRefusal.allCases.map(\.status)) == [400, 408, 413, 414, 417, 429, 431, 501, 505]
        )
    }
}
