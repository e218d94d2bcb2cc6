import PosternBase
import PosternHTTP
import PosternTokens
import Testing

@testable import PosternIssuer

/// The page, its buttons, and what comes back to the app.
@Suite struct SignInTests {
    @Test func aButtonForEachUser() async throws {
        let page = try await StandIn().get("/auth/authorize", query: StandIn.request)
        #expect(page.status == 200)
        for user in TestUser.builtIn {
            #expect(page.text.contains("name=\"user\" value=\"\(user.id)\""))
            #expect(page.text.contains(user.name))
        }
        #expect(page.text.contains("<html lang=\"en\">"))
        #expect(page.text.contains("For tests only"))
        #expect(!page.text.contains("<script"))
        #expect(!page.text.contains("style=") && !page.text.contains("<style"))
    }

    private static let strict = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

    @Test func policies() async throws {
        let standIn = try StandIn()
        func policy(_ response: HTTP.Response) -> String? { response.fields.single("Content-Security-Policy") }
        let page = await standIn.get("/auth/authorize", query: StandIn.request)
        #expect(policy(page) == Self.strict + "; form-action 'self'")
        // The answer to the form is a redirect to the app then.
        let redirecting = await standIn.get(
            "/auth/authorize", query: StandIn.request(["scope": nil, "response_mode": "fragment"]))
        #expect(policy(redirecting) == Self.strict)
        #expect(await policy(standIn.signIn()) == Self.strict + "; script-src 'self'")
        #expect(await policy(standIn.get("/")) == Self.strict + "; form-action 'none'")
        #expect(await policy(standIn.get("/auth/authorize")) == Self.strict + "; form-action 'none'")
        for response in [page, redirecting] {
            #expect(response.fields.single("Cache-Control") == "no-store")
            #expect(response.fields.single("X-Content-Type-Options") == "nosniff")
        }
    }

    private static let hostile = "\"><script>alert(1)</script><a href='x' b=`y` &lt;"

    /// Whatever a stranger puts into a link, the page has no element of theirs.
    @Test(arguments: [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "prompt", hostile,
    ])
    func hostileParameters(_ name: String) async throws {
        let response = try await StandIn().get("/auth/authorize", query: StandIn.request([name: Self.hostile]))
        #expect(!response.text.contains("<script>"))
        #expect(!response.text.contains("href='x'"))
        #expect(!response.text.contains("`y`"))
        if let location = response.fields.single("Location") { #expect(!location.contains("<")) }
    }

    @Test func hostileUsers() async throws {
        var user = TestUser("x", subject: "s")
        (user.firstName, user.email) = (Self.hostile, Self.hostile)
        let page = try await StandIn(users: [user]).get("/auth/authorize", query: StandIn.request)
        #expect(!page.text.contains("<script>"))
        #expect(page.text.contains("&lt;script&gt;"))
    }

    @Test(arguments: [("query", "?"), ("fragment", "#")])
    func aRedirect(mode: String, mark: String) async throws {
        let state = "a b&c=d~\"<"
        let response = try await StandIn().signIn(
            "person", ["response_mode": mode, "response_type": "code", "scope": "openid", "state": state])
        #expect(response.status == 303)
        let location = try #require(response.fields.single("Location"))
        let start = StandIn.callback + mark
        #expect(location.hasPrefix(start))
        let fields = try #require(FormFields(Array(location.dropFirst(start.count).utf8)))
        #expect(fields.all.map(\.name) == ["code", "state"])
        #expect(fields["state"] == state)
    }

    @Test func aRedirectKeepsTheQueryThatIsThere() async throws {
        let response = try await StandIn().signIn(
            "person",
            [
                "redirect_uri": "https://app.example/other?a=1", "response_mode": nil, "response_type": "code",
                "scope": nil,
            ])
        #expect(response.fields.single("Location")?.hasPrefix("https://app.example/other?a=1&code=") == true)
    }

    /// State and nonce come back as they were, and the token vouches for the code.
    @Test func aFormPost() async throws {
        let standIn = try StandIn()
        let response = await standIn.signIn("person", ["state": Self.hostile])
        #expect(response.inputs.map(\.name) == ["code", "id_token", "user", "state"])
        #expect(response.input("state") == Self.hostile)
        #expect(response.text.contains("<form method=\"post\" action=\"\(StandIn.callback)\">"))
        #expect(response.text.contains("<button class=\"go\" type=\"submit\">Continue</button>"))
        let identity = try await verifier(standIn).verify(
            try #require(response.input("id_token")), nonce: "the nonce", code: response.input("code"))
        #expect(identity.subject.description == TestUser.builtIn[0].subject)
        #expect(identity.issuer == StandIn.url)
        #expect(identity.email == "test.person@example.com")
    }

    private func verifier(_ standIn: StandIn) throws -> TokenVerifier {
        try FaultTests.verifier(standIn, nonce: .plain)
    }

    @Test(arguments: TestUser.builtIn.indices)
    func everyUserSignsIn(_ index: Int) async throws {
        let user = TestUser.builtIn[index]
        let standIn = try StandIn()
        let response = await standIn.signIn(user.id)
        let identity = try await verifier(standIn).verify(
            try #require(response.input("id_token")), nonce: "the nonce")
        #expect(identity.subject.description == user.subject)
        #expect(identity.email == user.email)
        #expect(identity.isEmailVerified == (user.email != nil && user.emailVerified))
        #expect(identity.isPrivateRelay == user.isPrivateEmail)
        #expect(identity.realUserStatus == 2)
    }

    /// As with Apple: the name comes once, and the address only where it was asked for.
    @Test func theFirstTime() async throws {
        let standIn = try StandIn()
        #expect(
            await standIn.signIn().input("user")
                == #"{"name":{"firstName":"Test","lastName":"Person"},"email":"test.person@example.com"}"#)
        #expect(await standIn.signIn().input("user") == nil)
        #expect(
            await standIn.signIn("relay", ["scope": "name"]).input("user")
                == #"{"name":{"firstName":"Hidden","lastName":"Person"}}"#)
        let nameless = await standIn.signIn("managed", ["scope": "email"])
        #expect(nameless.input("user") == nil)
        let withoutEmail = await standIn.signIn("person", ["scope": nil])
        let location = try #require(withoutEmail.fields.single("Location") ?? withoutEmail.input("id_token"))
        #expect(!location.isEmpty)
    }

    @Test func theAddressIsToldOnlyToWhoAsks() async throws {
        let standIn = try StandIn()
        let token = try #require(await standIn.signIn("person", ["scope": "name"]).input("id_token"))
        #expect(try await verifier(standIn).verify(token, nonce: "the nonce").email == nil)
    }

    @Test func cancelling() async throws {
        let response = try await StandIn().signIn(nil)
        #expect(response.inputs.map(\.name) == ["error", "state"])
        #expect(response.input("error") == "user_cancelled_authorize")
        #expect(response.input("state") == "the state")
    }

    /// A button works once, and not for ever.
    @Test(arguments: [(0, true), (1799, true), (1800, false)])
    func aPageIsGoodOnce(seconds: Int64, isGood: Bool) async throws {
        let standIn = try StandIn()
        let page = await standIn.get("/auth/authorize", query: StandIn.request)
        let form = [("request", page.input("request") ?? ""), ("user", "person")]
        standIn.now.withLock { $0 += seconds }
        #expect(await standIn.post(form: form, "/auth/authorize").status == (isGood ? 200 : 400))
        let again = await standIn.post(form: form, "/auth/authorize")
        #expect(again.status == 400)
        #expect(again.text.contains("This sign-in is over"))
    }

    @Test func strangers() async throws {
        let standIn = try StandIn()
        #expect(await standIn.signIn("nobody").code == "user_unknown")
        #expect(await standIn.post(form: [("user", "person")], "/auth/authorize").status == 400)
        #expect(await standIn.post(form: [("request", ""), ("user", "person")], "/auth/authorize").status == 400)
        #expect(await standIn.ask("POST", "/auth/authorize", [], Array("request=%".utf8)).status == 400)
    }
}
