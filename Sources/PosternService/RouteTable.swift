/// The routes of the service. The first is the one that is asked most.
enum RouteTable {
    struct Row {
        let method: String
        let path: String
        let door: Door?
        let action: Route.Action
        let query: [String]

        init(_ method: String, _ path: String, _ door: Door?, _ action: Route.Action, query: [String] = []) {
            self.method = method
            self.path = path
            self.door = door
            self.action = action
            self.query = query
        }
    }

    static let rows =
        [
            Row("POST", "/v1/verify", .native, .verify),
            Row("POST", "/v1/nonces", .native, .issueNonce),
            Row("GET", "/v1/keys", .native, .keys),
            Row("GET", "/health/live", nil, .live),
            Row("GET", "/health/ready", .operations, .ready),
            Row("GET", "/metrics", .operations, .metrics),
        ] + sessions + accounts + published

    private static let sessions = [
        Row("POST", "/v1/sessions", .native, .openSession),
        Row("GET", "/v1/sessions", .native, .listSessions, query: ["user"]),
        Row("DELETE", "/v1/sessions", .native, .endSessions, query: ["user", "except"]),
        Row("POST", "/v1/sessions/refresh", .native, .refreshSession),
        Row("DELETE", "/v1/sessions/{id}", .native, .endSession),
        Row("POST", "/v1/introspect", .native, .introspect),
        Row("POST", "/v1/revoke", .native, .revoke),
    ]

    private static let accounts = [
        Row("POST", "/v1/accounts", .native, .signUp),
        Row("GET", "/v1/accounts", .native, .listAccounts, query: ["after", "limit", "email"]),
        Row("GET", "/v1/accounts/{id}", .native, .showAccount),
        Row("PATCH", "/v1/accounts/{id}", .native, .changeAccount),
        Row("DELETE", "/v1/accounts/{id}", .native, .deleteAccount),
        Row("PUT", "/v1/accounts/{id}/password", .native, .changePassword),
        Row("DELETE", "/v1/accounts/{id}/identities/{identity}", .native, .unlinkIdentity),
        Row("GET", "/v1/accounts/{id}/audit", .native, .auditTrail, query: ["before", "limit"]),
        Row("POST", "/v1/sign-ups/{id}/confirm", .native, .confirmSignUp),
    ]

    private static let published = [
        Row("GET", "/.well-known/jwks.json", .auth, .keySet),
        Row("GET", "/.well-known/openid-configuration", .auth, .discovery),
    ]
}
