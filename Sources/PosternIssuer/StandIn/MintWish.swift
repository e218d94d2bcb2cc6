internal import PosternBase

/// What a request to mint asks for; its members are called as the options of `postern mint` are.
struct MintWish {
    let user: TestUser
    let audiences: [String]
    let issuedAt: Int64?
    let lifetime: Int64?
    private let subject: String?
    private let nonce: TokenOrder.Nonce?
    private let code: String?
    private let accessToken: String?
    private let notification: String?
    private let claims: [(name: String, value: JSONOutput?)]
    private let header: [(name: String, value: JSONOutput?)]

    /// Whatever comes of it is a number that can be added to another.
    private static let times: ClosedRange<Int64> = 0...(1 << 40) - 1

    init(_ reader: ObjectReader, _ clients: [RegisteredClient], _ users: [TestUser]) throws(IssuerProblem) {
        try reader.finish()
        user = try Self.user(reader, users)
        audiences = try Self.audiences(reader) ?? clients.prefix(1).map(\.id)
        issuedAt = try reader.number("issued_at", in: Self.times)
        lifetime = try reader.number("expires_in", in: Self.times)
        subject = try reader.text("subject")
        nonce = try Self.nonce(reader)
        code = try reader.text("code")
        accessToken = try reader.text("access_token")
        notification = try reader.text("notification")
        let without = try reader.texts("without") ?? []
        claims =
            try reader.members("claims").map { ($0.name, .value($0.value)) } + without.map { ($0, nil) }
        header = try reader.members("header").map { ($0.name, .value($0.value)) } + without.map { ($0, nil) }
    }

    func apply(to order: inout TokenOrder) {
        if let subject { order.subject = subject }
        order.nonce = nonce
        order.code = code
        order.accessToken = accessToken
        order.notification = notification
        // A notification says nothing about the person but who it is.
        if notification != nil { order.claims = [] }
        for claim in claims { order.set(claim: claim.name, claim.value) }
        for member in header { order.set(header: member.name, member.value) }
    }

    // MARK: - Members

    private static func user(_ reader: ObjectReader, _ users: [TestUser]) throws(IssuerProblem) -> TestUser {
        let id = try reader.text("user")
        guard let user = users.first(where: { $0.id.isSameBytes(as: id ?? $0.id) }) else {
            let names = users.map(\.id).joined(separator: ", ")
            throw IssuerProblem(.userUnknown, "user must be one of \(names), not \(Excerpt.word(id ?? "")).")
        }
        return user
    }

    private static func audiences(_ reader: ObjectReader) throws(IssuerProblem) -> [String]? {
        guard reader.isText("audience") else { return try reader.texts("audience") }
        return try reader.text("audience").map { [$0] }
    }

    private static func nonce(_ reader: ObjectReader) throws(IssuerProblem) -> TokenOrder.Nonce? {
        let hashed = try reader.text("nonce")
        let plain = try reader.text("nonce_plain")
        switch (hashed, plain) {
        case (_?, _?): throw IssuerProblem(.memberInvalid, "nonce and nonce_plain exclude each other.")
        case (let raw?, nil): return .hashed(raw)
        case (nil, let value?): return .plain(value)
        case (nil, nil): return nil
        }
    }
}
