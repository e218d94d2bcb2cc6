import Testing

@Suite struct RequestBodyTests {
    /// With the object, the name and the array three more.
    private static func values(_ count: Int) -> String {
        #"{"tokens":[\#(Array(repeating: "0", count: count).joined(separator: ","))]}"#
    }

    private static func members(_ count: Int) -> String {
        "{\((0..<count).map { "\"\($0)\":0" }.joined(separator: ","))}"
    }

    @Test(arguments: [
        ("", "body_malformed", "empty text"), ("{", "body_malformed", "line 1, column 2"),
        ("[]", "body_malformed", "not an object"), ("\"x\"", "body_malformed", "not an object"),
        (#"{"token":"a",}"#, "body_malformed", "unexpected character"),
        (#"{"token":"a"} x"#, "body_malformed", "after the value"),
        (#"{"token":"a","token":"b"}"#, "body_malformed", #"column 14): "token", first in line 1, column 2"#),
        ("{\"token\":\"a\",\"\\u0074oken\":\"b\"}", "body_malformed", "given twice"),
        ("\u{FEFF}{}", "body_malformed", "byte-order mark"), (#"{"token":"\ud800"}"#, "body_malformed", "surrogate"),
        (members(17), "body_malformed", "more members"), (members(16), "member_unknown", #""0""#),
        (#"{"tokens":[{"a\n":\#(members(17))}]}"#, "body_malformed", "more members"),
        (#"{"id_token":"a"}"#, "member_unknown", #"no member "id_token" here; those known are token"#),
        ("{}", "member_missing", "token is missing"), (#"{"nonce":"a"}"#, "member_missing", "token is missing"),
        (#"{"token":1}"#, "member_invalid", "token must be a string, not a number"),
        (#"{"token":null}"#, "member_invalid", "not null; leave it out"),
        (#"{"token":"a","nonce":1e3}"#, "member_invalid", "nonce must be a string"),
        (#"{"token":"a","nonce":null}"#, "member_invalid", "nonce must be a string"),
        (#"{"token":"a","audience":["x"]}"#, "member_invalid", "audience must be a string, not an array"),
        (#"{"token":"a","provider":{}}"#, "member_invalid", "provider must be a string, not an object"),
        (#"{"token":"a","consume":"false"}"#, "member_invalid", "consume must be true or false, not a string"),
        (#"{"token":"a","explain":0}"#, "member_invalid", "explain must be true or false"),
        (#"{"token":"a","Nonce":"b"}"#, "member_unknown", #"no member "Nonce" here"#),
        (#"{"token":"a","code":"b","nonce":"c"}"#, "member_unknown", #""code""#),
        (#"{"tokens":[]}"#, "member_invalid", "tokens is empty"),
        (#"{"tokens":{}}"#, "member_invalid", "tokens must be an array"),
        (#"{"tokens":["a"]}"#, "member_invalid", "tokens[0] must be an object, not a string"),
        (#"{"tokens":[{"token":"a"},{}]}"#, "member_missing", "tokens[1].token is missing"),
        (#"{"tokens":[{"token":"a","x":1}]}"#, "member_unknown", #"no member tokens[0]."x""#),
        (#"{"tokens":[{"token":"a"}],"token":"b"}"#, "member_unknown", #""token""#),
        (#"{"tokens":[{"token":"a"}],"explain":true}"#, "member_unknown", #""explain""#),
        (#"{"token":"a","provider":"google"}"#, "provider_unknown", "google"),
        (#"{"token":"a","audience":"com.example.nobody"}"#, "audience_unknown", #"audience "com.example.nobo…" is"#),
        (#"{"tokens":[{"token":"a"},{"token":"b","provider":"x"}]}"#, "provider_unknown", "tokens[1].provider: "),
        (#"{"tokens":[{"token":"a"},{"token":"b","audience":"x"}]}"#, "audience_unknown", "tokens[1].audience: "),
    ])
    func mistakesAreNamed(body: String, code: String, detail: String) async throws {
        let reply = try await TestService().send("POST", "/v1/verify", body)
        #expect(reply.status == 400)
        #expect(reply.code == code)
        #expect(reply.text("detail")?.contains(detail) == true, "\(reply.body)")
        #expect(reply.field("Content-Type") == "application/problem+json")
        #expect(reply.text("title") == "Bad Request")
        #expect(reply.json["status"] as? Int == 400)
    }

    @Test(arguments: [
        ("application/json", 200), ("application/json; charset=utf-8", 200), ("APPLICATION/JSON;charset=UTF-8", 200),
        (#"application/json;charset="utf-8""#, 200), ("text/plain", 415), ("application/json; charset=latin1", 415),
        ("application/json5", 415), ("application/x-www-form-urlencoded", 415), ("", 415),
        ("application/json,text/plain", 415),
        ("application/json; x=y", 415),
    ])
    func contentType(type: String, status: Int) async throws {
        let reply = try await TestService().send(
            "POST", "/v1/verify", #"{"token":"a"}"#, fields: [("Content-Type", type)])
        #expect(reply.status == status)
        #expect(status == 200 || reply.code == "media_type_unsupported")
    }

    @Test func contentTypeIsOne() async throws {
        let body = #"{"token":"a"}"#
        let service = try TestService()
        #expect(try await service.send("POST", "/v1/verify", body, fields: []).status == 415)
        let twice = [("Content-Type", "application/json"), ("content-type", "application/json")]
        #expect(try await service.send("POST", "/v1/verify", body, fields: twice).status == 415)
    }

    /// A nonce for the only audience needs no body.
    @Test func anEmptyBodyIsTheEmptyObject() async throws {
        let service = try TestService()
        #expect(try await service.send("POST", "/v1/nonces", "", fields: []).status == 201)
        #expect(try await service.send("POST", "/v1/nonces", " ", fields: []).status == 415)
        #expect(try await service.send("POST", "/v1/nonces", " ").code == "body_malformed")
    }

    @Test func theNumberOfTokensIsBounded() async throws {
        let service = try TestService()
        let token = #"{"token":"a"}"#
        let most = try await service.send(
            "POST", "/v1/verify", "{\"tokens\":[\(Array(repeating: token, count: 256).joined(separator: ","))]}")
        #expect(most.status == 200)
        #expect((most.json["verdicts"] as? [Any])?.count == 256)
        let more = try await service.send(
            "POST", "/v1/verify", "{\"tokens\":[\(Array(repeating: token, count: 257).joined(separator: ","))]}")
        #expect(more.status == 413)
        #expect(more.code == "too_many_tokens")
        // So many that the body is not read to its end.
        #expect(try await service.send("POST", "/v1/verify", Self.values(16_381)).code == "too_many_tokens")
        let endless = try await service.send("POST", "/v1/verify", Self.values(16_382))
        #expect(endless.code == "body_malformed")
        #expect(endless.text("detail")?.contains("too many values") == true)
    }
}
