import Foundation
import PosternHTTP
import PosternService
import PosternTestSupport
import Testing

/// What the service says before a body is there.
@Suite struct EarlyAnswerTests {
    private let json = ("Content-Type", "application/json")
    private let key = ("Authorization", "Bearer \(TestService.key)")

    private func head(
        _ method: String,
        _ path: String,
        query: String? = nil,
        _ fields: [(String, String)],
        hasBody: Bool = true,
        peer: Peer = TestService.address
    ) -> ReceivedHead {
        var all = HTTP.Fields()
        for (name, value) in fields { all.append(name, value) }
        return ReceivedHead(
            method: method, path: path, query: query, fields: ReceivedFields(all), hasBody: hasBody, peer: peer)
    }

    private func reply(_ head: ReceivedHead, _ service: TestService) -> TestReply? {
        service.service.answer(toHead: head).map(TestReply.init)
    }

    /// Over TCP: path, method, query, key and type are told by the head; what is left needs the body.
    @Test func theHeadDecides() throws {
        let service = try TestService(listeners: [ListenerRules(doors: [.native])], keys: TestService.keys)
        let table: [(ReceivedHead, Int?)] = [
            (head("POST", "/", [json, key]), 404), (head("POST", "/health/ready", [json, key]), 404),
            (head("PUT", "/v1/verify", [json, key]), 405), (head("POST", "/v1/keys", [json, key]), 405),
            (head("POST", "/v1/verify", query: "a", [json, key]), 400), (head("POST", "/v1/verify", [json]), 401),
            (head("POST", "/v1/verify", [json, ("Authorization", "Bearer x")]), 401),
            (head("POST", "/v1/nonces", [json]), 401), (head("POST", "/v1/verify", [key]), 415),
            (head("POST", "/v1/verify", [key, ("Content-Type", "text/plain")]), 415),
            (head("POST", "/v1/nonces", [key]), 415), (head("POST", "/v1/nonces", [key], hasBody: false), nil),
            (head("POST", "/v1/verify", [key], hasBody: false), 415), (head("POST", "/v1/verify", [json, key]), nil),
            (head("POST", "/v1/nonces", [json, key]), nil), (head("GET", "/health/live", []), 200),
            (head("GET", "/v1/keys", [key]), 200), (head("GET", "/v1/keys", []), 401),
        ]
        for (head, status) in table {
            let reply = reply(head, service)
            #expect(reply?.status == status, "\(head.method) \(head.path)")
            if let reply {
                #expect(reply.field("X-Request-Id")?.isEmpty == false)
                #expect(reply.field("Cache-Control") == "no-store")
                #expect(status == 200 || reply.code != nil)
            }
        }
    }

    /// It says what would be said to the whole request.
    @Test func bothSayTheSame() async throws {
        let service = try TestService(keys: TestService.keys)
        let paths = ["/", "/v1/verify", "/v1/nonces", "/v1/keys", "/health/live", "/health/ready"]
        for method in ["GET", "POST", "HEAD", "DELETE"] {
            for path in paths {
                for fields in [[], [json], [key], [json, key], [json, ("Authorization", "Bearer x")]] {
                    for peer in [TestService.peer, TestService.address] {
                        let early = reply(head(method, path, fields, peer: peer), service)
                        let late = try await service.send(method, path, "no JSON", fields: fields, peer: peer)
                        guard let early else {
                            #expect(late.code == "body_malformed")
                            continue
                        }
                        #expect(early.status == late.status)
                        #expect(early.code == late.code)
                    }
                }
            }
        }
    }

    /// A body that is refused by its head counts as no request of the caller; what is answered by it does, once.
    @Test func theLimitIsNotAskedTwice() async throws {
        let service = try TestService(limit: CallerLimiter.Rate(perSecond: 1, burst: 1))
        for _ in 0..<5 {
            #expect(reply(head("POST", "/v1/verify", [json], peer: TestService.peer), service) == nil)
        }
        #expect(reply(head("GET", "/v1/keys", [], peer: TestService.peer), service)?.status == 200)
        #expect(reply(head("GET", "/v1/keys", [], peer: TestService.peer), service)?.status == 429)
        #expect(try await service.verify(["token": "x"]).status == 429)
    }

    @Test func peersAreToldAtOnce() throws {
        let rules = [ListenerRules(doors: [.native], users: [7]), ListenerRules(doors: [])]
        let service = try TestService(listeners: rules).service
        #expect(service.answer(to: .process(user: 7, group: 1, process: 1), listener: 0) == nil)
        #expect(service.answer(to: TestService.peer, listener: 1) == nil)
        let refused = TestReply(try #require(service.answer(to: TestService.peer, listener: 0)))
        #expect(refused.status == 403)
        #expect(refused.code == "peer_not_allowed")
        #expect(refused.text("request_id") == refused.field("X-Request-Id"))
        #expect(refused.field("Cache-Control") == "no-store")
    }

    /// What the server has to say has the form of all other problems.
    @Test func noticesAreProblems() throws {
        let service = try TestService().service
        let notice = HTTPNotice.refused(
            .init(status: 431, title: "T", code: "some_code", detail: "What is \"wrong\".", retryAfter: 3))
        var fields = HTTP.Fields()
        fields.append("X-Request-Id", "mine")
        let reply = TestReply(service.answer(notice, to: ReceivedFields(fields)))
        #expect(reply.status == 431)
        #expect(reply.code == "some_code")
        #expect(reply.text("title") == "T")
        #expect(reply.text("detail") == "What is \"wrong\".")
        #expect(reply.text("type") == "about:blank")
        #expect(reply.json["status"] as? Int == 431)
        #expect(reply.text("request_id") == "mine")
        #expect(reply.field("X-Request-Id") == "mine")
        #expect(reply.field("Cache-Control") == "no-store")
        #expect(reply.field("Content-Type") == "application/problem+json")
        #expect(reply.field("Retry-After") == "3")
        let made = TestReply(service.answer(notice, to: ReceivedFields()))
        #expect(made.text("request_id")?.isEmpty == false)
        let about = TestReply(service.answer(.aboutServer, to: ReceivedFields(fields)))
        #expect(about.status == 204)
        #expect(about.body.isEmpty)
        #expect(about.field("X-Request-Id") == "mine")
        #expect(about.field("Cache-Control") == "no-store")
        #expect(about.field("Content-Type") == nil)
    }
}
