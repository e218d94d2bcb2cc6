internal import PosternBase

/// The pages of a sign-in.
extension IssuerPage {
    /// A button for each user. `name` is that of the request.
    static func choice(
        _ asked: AuthorizationRequest,
        _ name: String,
        _ users: [TestUser],
        _ faults: [IssuerFault]
    ) -> IssuerPage {
        let buttons = users.map(button)
        let warning: HTML? =
            faults.isEmpty
            ? nil : "<p class=\"notice\">Faults are on: \(faults.map(\.rawValue).joined(separator: ", "))</p>\n"
        let main: HTML = """
            <h1>Sign in to <span class="client">\(asked.clientID)</span></h1>
            <p>Choose who you are. Nobody here exists, and no password is asked for.</p>
            \(warning)<form method="post" action="\(IssuerRoute.authorizePath)">
            <input type="hidden" name="request" value="\(name)">
            <ul class="users">
            \(HTML.joined(buttons))</ul>
            <button class="cancel" type="submit">Cancel</button>
            </form>
            \(details(asked))
            """
        // Only the answer to a form_post stays here; the others are redirects to the app.
        return IssuerPage(
            title: "Sign in to \(asked.clientID) – Postern test issuer", main: main,
            forms: asked.back.mode == .formPost ? .here : .anywhere)
    }

    private static func button(_ user: TestUser) -> HTML {
        let initial = user.name.first.map(String.init) ?? "?"
        let note: HTML? = user.isPrivateEmail ? " <span class=\"tag\">hidden address</span>" : nil
        let doubt: HTML? =
            user.email != nil && !user.emailVerified ? " <span class=\"tag\">not verified</span>" : nil
        return """
            <li><button type="submit" name="user" value="\(user.id)">
            <span class="initial" aria-hidden="true">\(initial)</span>
            <span class="who"><span class="person">\(user.name)</span>
            <span class="email">\(user.email ?? "no email address")</span>\(note)\(doubt)</span>
            </button></li>

            """
    }

    private static func details(_ asked: AuthorizationRequest) -> HTML {
        let rows: [(String, String)] = [
            ("Answer goes to", asked.back.redirectURI), ("By", asked.back.mode.rawValue),
            ("With", asked.hasToken ? "code, identity token" : "code"),
            ("Scope", asked.scopes.isEmpty ? "none" : asked.scopes.joined(separator: " ")),
            ("State", asked.back.state == nil ? "none: the app cannot tell its own answers apart" : "given"),
            ("Nonce", asked.nonce == nil ? "none: the token is not bound to this sign-in" : "given"),
            ("PKCE", asked.challenge == nil ? "none" : "S256"),
        ]
        return "<details><summary>What the app asked for</summary>\n\(list(rows))</details>"
    }

    static func list(_ rows: [(String, String)]) -> HTML {
        let rows = rows.map { row -> HTML in "<dt>\(row.0)</dt><dd>\(row.1)</dd>\n" }
        return "<dl>\n\(HTML.joined(rows))</dl>\n"
    }

    /// The answer as a form that the browser posts to the app (OAuth 2.0 Form Post Response Mode §2): by itself, or by the button
    /// where scripts are off.
    static func goingBack(_ uri: String, _ fields: [(name: String, value: String)]) -> IssuerPage {
        let inputs = fields.map { field -> HTML in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
        }
        let main: HTML = """
            <h1>Back to the app</h1>
            <p>The answer is ready.</p>
            <form method="post" action="\(uri)">
            \(HTML.joined(inputs))<button class="go" type="submit">Continue</button>
            </form>
            """
        return IssuerPage(
            title: "Back to the app – Postern test issuer", main: main, forms: .anywhere, hasScript: true)
    }

    static func failure(_ text: String) -> IssuerPage {
        let main: HTML = """
            <h1>This sign-in cannot go on</h1>
            <p class="notice" role="alert">\(text)</p>
            """
        return IssuerPage(title: "Error – Postern test issuer", main: main)
    }
}
