import Foundation
import PosternAccounts
import PosternService
import PosternTestSupport
import Testing

/// `Docs/openapi.json` describes what the service does: its routes and doors, and every answer here fits its schema.
@Suite struct OpenAPITests {
    private let document: [String: Any]

    init() throws {
        let data = try Data(contentsOf: TestPaths.package.appending(path: "Docs/openapi.json"))
        document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func object(_ path: String...) throws -> [String: Any] {
        try path.reduce(document) { try #require($0[$1] as? [String: Any], "\($1)") }
    }

    @Test func theRoutesAreTheRouters() throws {
        var described: [String] = []
        for (path, methods) in try object("paths") {
            for (method, operation) in try #require(methods as? [String: Any]) {
                let door = (operation as? [String: Any])?["x-door"] as? String ?? "-"
                described.append("\(method.uppercased()) \(path) \(door)")
            }
        }
        #expect(described.sorted() == Route.all.map { "\($0.method) \($0.path) \($0.door?.rawValue ?? "-")" }.sorted())
        #expect(document["openapi"] as? String == "3.1.0")
    }

    @Test func theProblemsAreThoseOfTheList() throws {
        let code = try object("components", "schemas", "Problem", "properties", "code")
        // Those of the reader are in the list that its own tests hold against it.
        let errors = try String(contentsOf: TestPaths.package.appending(path: "Docs/Errors.md"), encoding: .utf8)
        let section = try #require(
            errors.components(separatedBy: "\n## ").first { $0.hasPrefix("Refused by the HTTP") })
        let ofReader = section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
            .map { $0.components(separatedBy: "`")[1] }
        #expect(ofReader.count > 40)
        let all = ProblemCode.allCases.map(\.rawValue) + ofReader
        #expect((code["enum"] as? [String])?.sorted() == all.sorted())
    }

    // MARK: - Answers

    @Test func answersFit() async throws {
        let service = try TestService()
        let good: [String: Any] = try ["token": TestToken().signed(), "nonce": TestToken.rawNonce]
        let explained = good.merging(["explain": true]) { $1 }
        let bad: [String: Any] = ["token": "x", "explain": true]
        try check(await service.verify(good), "post", "/v1/verify")
        try check(await service.verify(explained), "post", "/v1/verify")
        try check(await service.verify(bad), "post", "/v1/verify")
        try check(await service.verify(["tokens": [good, bad, explained]]), "post", "/v1/verify")
        try check(await service.verify([:]), "post", "/v1/verify")
        try check(await service.send("POST", "/v1/verify", "{}", fields: []), "post", "/v1/verify")
        try check(await service.verify(["tokens": Array(repeating: bad, count: 257)]), "post", "/v1/verify")
        try check(await service.send("POST", "/v1/nonces"), "post", "/v1/nonces")
        try check(await service.send("POST", "/v1/nonces", "{}", peer: TestService.address), "post", "/v1/nonces")
        try check(await service.send("GET", "/v1/keys"), "get", "/v1/keys")
        try check(await service.send("GET", "/health/live"), "get", "/health/live")
        try check(await service.send("GET", "/health/ready"), "get", "/health/ready")
        try check(await service.send("GET", "/metrics"), "get", "/metrics")
        let without = try TestService({ [try TestService.apple(keys: ScriptedKeys(), nonces: $0)] })
        try check(await without.send("GET", "/v1/keys"), "get", "/v1/keys")
        try check(await without.send("GET", "/health/ready"), "get", "/health/ready")
        try check(await without.verify(good), "post", "/v1/verify")
        try check(await without.verify(["tokens": [good]]), "post", "/v1/verify")
    }

    @Test func answersAboutAccountsFit() async throws {
        let service = try await AccountService()
        let signUp: [String: Any] = ["email": AccountService.email, "password": AccountService.password]
        let created = try await service.send("POST", "/v1/accounts", signUp)
        let account = "/v1/accounts/\(created.text("id") ?? "")"
        let session = try await service.signIn()
        let link = ["link_to": session.text("access_token") ?? ""]
        try check(created, "post", "/v1/accounts")
        try await check(service.send("POST", "/v1/accounts", signUp), "post", "/v1/accounts")
        try await check(service.send("POST", "/v1/accounts", ["email": "a", "password": "b"]), "post", "/v1/accounts")
        try check(session, "post", "/v1/sessions")
        try await check(service.signInWithApple(with: link), "post", "/v1/sessions")
        try await check(service.signInWithApple(nonce: "b", with: ["nonce": "c"]), "post", "/v1/sessions")
        try await check(service.signIn("b@example.org"), "post", "/v1/sessions")
        try await check(service.signIn("b"), "post", "/v1/sessions")
        try await check(service.send("POST", "/v1/sessions", [:]), "post", "/v1/sessions")
        try await check(service.send("GET", account), "get", "/v1/accounts/{id}")
        try await check(service.send("PATCH", account, ["banned": false]), "patch", "/v1/accounts/{id}")
        try await check(service.send("PATCH", account, [:]), "patch", "/v1/accounts/{id}")
        try await check(service.send("GET", "/v1/accounts"), "get", "/v1/accounts")
        try await check(service.send("GET", "/v1/accounts", query: "a"), "get", "/v1/accounts")
        try await check(service.send("GET", account + "/audit"), "get", "/v1/accounts/{id}/audit")
        try await check(
            service.send("PUT", account + "/password", ["new_password": "a"]), "put", "/v1/accounts/{id}/password")
        let user = "user=\(session.accountID)"
        try await check(service.send("GET", "/v1/sessions", query: user), "get", "/v1/sessions")
        try await check(service.refresh(session.text("refresh_token")), "post", "/v1/sessions/refresh")
        try await check(service.refresh("x"), "post", "/v1/sessions/refresh")
        for kind in ["access_token", "refresh_token"] {
            let form = "token=\(session.text(kind) ?? "")&token_type_hint=\(kind)"
            try await check(service.form("/v1/introspect", form), "post", "/v1/introspect")
        }
        try await check(service.form("/v1/introspect", "token=a"), "post", "/v1/introspect")
        try await check(service.form("/v1/introspect", ""), "post", "/v1/introspect")
        try await check(service.form("/v1/revoke", "token=a"), "post", "/v1/revoke")
        try await check(service.form("/v1/revoke", ""), "post", "/v1/revoke")
        let identity = try await service.send("GET", account).list("identities")[0]["id"] as? String ?? ""
        let identities = "/v1/accounts/{id}/identities/{identity}"
        try await check(service.send("DELETE", "\(account)/identities/\(identity)"), "delete", identities)
        try await check(service.send("DELETE", "\(account)/identities/\(identity)"), "delete", identities)
        try await check(service.send("DELETE", "/v1/sessions/\(session.sessionID)"), "delete", "/v1/sessions/{id}")
        try await check(service.send("DELETE", "/v1/sessions/\(session.sessionID)"), "delete", "/v1/sessions/{id}")
        try await check(service.send("DELETE", "/v1/sessions", query: user), "delete", "/v1/sessions")
        try await check(service.send("DELETE", "/v1/sessions"), "delete", "/v1/sessions")
        try await check(service.send("DELETE", account), "delete", "/v1/accounts/{id}")
        try await check(service.send("GET", account), "get", "/v1/accounts/{id}")
        try await check(service.send("GET", "/.well-known/jwks.json"), "get", "/.well-known/jwks.json")
        let discovery = "/.well-known/openid-configuration"
        try await check(service.send("GET", discovery), "get", discovery)
        service.store.fail(.full)
        try await check(service.signInWithApple("x", nonce: "x"), "post", "/v1/sessions")
        let waiting = try await AccountService.with { $0.confirmation = .external }
        let waits = try await waiting.send("POST", "/v1/accounts", signUp)
        try check(waits, "post", "/v1/accounts")
        let confirm = "/v1/sign-ups/\(waits.text("sign_up") ?? "")/confirm"
        try await check(waiting.send("POST", confirm), "post", "/v1/sign-ups/{id}/confirm")
        try await check(waiting.send("POST", confirm), "post", "/v1/sign-ups/{id}/confirm")
    }

    /// What the document shows fits what it says.
    @Test func examplesFit() throws {
        var count = 0
        for (path, methods) in try object("paths") {
            for (method, operation) in methods as? [String: [String: Any]] ?? [:] {
                let bodies: [Any] =
                    [operation["requestBody"]].compactMap(\.self)
                    + (operation["responses"] as? [String: Any] ?? [:]).values
                for body in bodies.compactMap({ $0 as? [String: Any] }) {
                    for case let content as [String: Any] in (body["content"] as? [String: Any] ?? [:]).values {
                        guard let example = content["example"], let schema = content["schema"] as? [String: Any]
                        else { continue }
                        count += 1
                        let mistakes = try mistakes(example, schema, "\(method) \(path)")
                        #expect(mistakes.isEmpty, "\(mistakes)")
                    }
                }
            }
        }
        #expect(count > 20)
    }

    private func check(_ reply: TestReply, _ method: String, _ path: String) throws {
        let responses = try object("paths", path, method, "responses")
        let response = try #require(responses["\(reply.status)"] as? [String: Any], "\(reply.status) at \(path)")
        guard response["content"] != nil else {
            return #expect(reply.body.isEmpty && reply.field("Content-Type") == nil)
        }
        let type = try #require(reply.field("Content-Type"))
        let content = try #require((response["content"] as? [String: Any])?[type] as? [String: Any], "\(type)")
        let schema = try #require(content["schema"] as? [String: Any])
        // What is no JSON has no schema to speak of.
        guard type.contains("json") else { return #expect(schema["type"] as? String == "string") }
        let mistakes = try mistakes(reply.json, schema, "\(reply.status) \(path)")
        #expect(mistakes.isEmpty, "\(mistakes) in \(reply.body)")
        for (name, _) in response["headers"] as? [String: Any] ?? [:] { #expect(reply.field(name) != nil, "\(name)") }
    }

    /// What does not fit, with members that the schema does not have: the part of JSON Schema that the document uses.
    private func mistakes(_ value: Any, _ schema: [String: Any], _ place: String) throws -> [String] {
        if let name = (schema["$ref"] as? String)?.components(separatedBy: "/").last {
            return try mistakes(value, object("components", "schemas", name), place)
        }
        if let choices = schema["oneOf"] as? [[String: Any]] {
            let all = try choices.map { try mistakes(value, $0, place) }
            return all.contains { $0.isEmpty } ? [] : all.flatMap { $0 }
        }
        let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
        guard types.contains(where: { Self.isOne(value, $0) }) else { return ["\(place) is no \(types)"] }
        if let words = schema["enum"] as? [String], let word = value as? String, !words.contains(word) {
            return ["\(place) is \(word)"]
        }
        if let elements = value as? [Any], let items = schema["items"] as? [String: Any] {
            return try elements.enumerated().flatMap { try mistakes($1, items, "\(place)[\($0)]") }
        }
        guard let members = value as? [String: Any], let properties = schema["properties"] as? [String: Any] else {
            guard let members = value as? [String: Any], let each = schema["additionalProperties"] as? [String: Any]
            else {
                return []
            }
            return try members.flatMap { try mistakes($1, each, "\(place).\($0)") }
        }
        let missing = (schema["required"] as? [String] ?? []).filter { members[$0] == nil }.map {
            "\(place).\($0) is missing"
        }
        return try missing
            + members.flatMap { name, member -> [String] in
                guard let schema = properties[name] as? [String: Any] else {
                    return ["\(place).\(name) is not described"]
                }
                return try mistakes(member, schema, "\(place).\(name)")
            }
    }

    private static func isOne(_ value: Any, _ type: String) -> Bool {
        let number = value as? NSNumber
        let isBool = number.map { isBoolean($0) } ?? false
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "boolean": return isBool
        case "integer": return number != nil && !isBool
        case "null": return value is NSNull
        default: return false
        }
    }

    /// JSONSerialization gives `true` and `1` as numbers of different kinds.
    private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
