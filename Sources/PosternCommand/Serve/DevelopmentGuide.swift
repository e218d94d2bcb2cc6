/// What `--development` says: lines to be pasted into another terminal.
struct DevelopmentGuide {
    let development: Development
    let issuer: String
    /// nil when the settings have been changed so that there is none.
    let port: UInt16?
    let hasAccounts: Bool

    private var curl: String { "curl -sS --unix-socket \(quoted(development.socket))" }
    private let json = "-H 'Content-Type: application/json'"

    var text: String {
        """

        FOR TESTS ONLY. The settings are in \(development.settingsFile), the issuer is \(issuer)
        Paste into another terminal, one after the other:

        \(verifying)\(hasAccounts ? accounts : "")\(port.map(overTCP) ?? "")

        """
    }

    private var verifying: String {
        let verify =
            #"\#(curl) \#(json) -d "{\"token\":\"$TOKEN\",\"nonce\":\"$NONCE\"}" http://postern/v1/verify; echo"#
        return """
            # a nonce for one sign-in
            \(nonce); echo $NONCE
            # a token that holds it, from the issuer
            \(token); echo $TOKEN
            # the verdict: accepted
            \(verify)
            # the same again: refused, nonce_used
            \(verify)

            """
    }

    private var nonce: String {
        "NONCE=$(\(curl) -X POST http://postern/v1/nonces | \(member("nonce")))"
    }

    private var token: String {
        "TOKEN=$(curl -sS \(json) -d \"{\\\"nonce\\\":\\\"$NONCE\\\"}\" \(issuer)/mint)"
    }

    private func member(_ name: String) -> String { #"sed 's/.*"\#(name)":"\([^"]*\)".*/\1/'"# }

    /// The name of what stands below `name` in an answer.
    private func identifier(_ name: String) -> String { #"sed 's/.*"\#(name)":{"id":"\([^"]*\)".*/\1/'"# }

    private var accounts: String {
        let credentials = #"{"email":"me@example.com","password":"a long sentence is easy to keep"}"#
        func ask(_ path: String, _ body: String) -> String {
            #"\#(curl) \#(json) -d "\#(body)" http://postern/v1/\#(path)"#
        }
        return """

            # sign up; an operator or your backend confirms that the mailbox is the person's
            SIGN_UP=$(\(curl) \(json) -d '\(credentials)' http://postern/v1/accounts | \(member("sign_up"))); echo $SIGN_UP
            \(curl) -X POST http://postern/v1/sign-ups/$SIGN_UP/confirm; echo
            # sign in: an access token, a refresh token, a session
            SESSION=$(\(curl) \(json) -d '\(credentials)' http://postern/v1/sessions); echo $SESSION
            ACCOUNT=$(echo $SESSION | \(identifier("account"))); ACCESS=$(echo $SESSION | \(member("access_token"))); REFRESH=$(echo $SESSION | \(member("refresh_token")))
            # the next tokens of the session
            \(ask("sessions/refresh", #"{\"refresh_token\":\"$REFRESH\"}"#)); echo
            # link the identity of a provider: from now on its tokens sign in to the same account
            \(nonce); \(token)
            \(ask("sessions", #"{\"token\":\"$TOKEN\",\"nonce\":\"$NONCE\",\"link_to\":\"$ACCESS\"}"#)); echo
            # sign in with such a token alone
            \(nonce); \(token)
            SECOND=$(\(ask("sessions", #"{\"token\":\"$TOKEN\",\"nonce\":\"$NONCE\"}"#)) | \(identifier("session"))); echo $SECOND
            # list the sessions of the account, and end one
            \(curl) "http://postern/v1/sessions?user=$ACCOUNT"; echo
            \(curl) -X DELETE http://postern/v1/sessions/$SECOND
            # the keys that backends verify access tokens with
            \(curl) http://postern/.well-known/jwks.json; echo
            \(port.map(discovery) ?? "")
            """
    }

    private func discovery(_ port: UInt16) -> String {
        """
        # where they find the keys by the issuer that is in the tokens
        curl -sS http://127.0.0.1:\(port)/.well-known/openid-configuration; echo

        """
    }

    private func overTCP(_ port: UInt16) -> String {
        """
        # over TCP with the key of a caller
        curl -sS -H "Authorization: Bearer $(cat \(quoted(development.apiKeyFile)))" http://127.0.0.1:\(port)/v1/keys; echo

        """
    }

    private func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x2D...0x39).contains($0) || $0 == 0x5F
        }
        guard !isPlain else { return text }
        let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + pieces.joined(separator: "'\\''") + "'"
    }
}
