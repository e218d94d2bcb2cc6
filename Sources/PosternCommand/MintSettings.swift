internal import PosternBase
internal import PosternCrypto
internal import PosternIssuer
internal import PosternJOSE

/// What the options of `postern mint` ask for; every contradiction among them is found here, before anything is made.
struct MintSettings {
    private(set) var order: TokenOrder
    let algorithm: Algorithm?
    let keyID: String?
    let keyFile: [UInt8]?
    let keySetFile: [UInt8]?
    private let omissions: [String]

    init(_ arguments: Arguments) throws(CommandFailure) {
        let shape = try Self.shape(arguments)
        algorithm = try ProviderChoice.algorithms(arguments).first
        keyID = try arguments.text(of: MintOption.keyID)
        keyFile = arguments.bytes(of: MintOption.key)
        keySetFile = arguments.bytes(of: MintOption.keysOut)
        omissions = try arguments.texts(of: MintOption.without)
        try Self.checkFit(arguments, shape)
        let audiences = try arguments.texts(of: MintOption.audience)
        let issuedAt = try Timestamp.option(arguments) ?? TimeSource.system.now()
        order = TokenOrder(shape, audiences: audiences.isEmpty ? ["com.example.app"] : audiences, issuedAt: issuedAt)
        try checkFiles()
        order.issuer = try arguments.text(of: MintOption.issuer)
        order.tenant = try arguments.text(of: MintOption.tenant)
        order.subject = try arguments.text(of: MintOption.subject)
        order.nonce = try Self.nonce(arguments)
        order.code = try arguments.text(of: MintOption.code)
        order.accessToken = try arguments.text(of: MintOption.accessToken)
        order.lifetime = try Self.lifetime(arguments)
        order.notification = try arguments.text(of: MintOption.notification)
        order.claims = try Self.members(arguments, MintOption.claim)
        order.header = try Self.members(arguments, MintOption.header)
    }

    /// Asked again when the key file has been made: a link may lead to it.
    func checkFiles() throws(CommandFailure) {
        guard let keyFile, let keySetFile, OutputFile.isSame(keyFile, keySetFile) else { return }
        throw .usage("--key and --keys-out name the same file: the key set would take the key's place")
    }

    /// Whether the key is gone with the answer.
    func losesKeys(_ format: Answer.Format) -> Bool { format == .text && keyFile == nil && keySetFile == nil }

    // MARK: - Options

    private static func shape(_ arguments: Arguments) throws(CommandFailure) -> TokenShape {
        guard let text = try arguments.text(of: MintOption.provider) else { return .apple }
        guard let shape = TokenShape.allCases.first(where: { $0.rawValue.isSameBytes(as: text) }) else {
            let names = TokenShape.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--provider takes one of \(names), not \(Excerpt.word(text))")
        }
        return shape
    }

    private static func checkFit(_ arguments: Arguments, _ shape: TokenShape) throws(CommandFailure) {
        guard !arguments.isGiven(MintOption.tenant) || shape == .microsoft else {
            throw .usage("--tenant is only for --provider microsoft")
        }
        guard arguments.isGiven(MintOption.notification) else { return }
        guard shape == .apple else {
            throw .usage("--notification is only for --provider apple: \(shape.rawValue) sends no notifications")
        }
        for option in [MintOption.nonceHashed, MintOption.noncePlain, MintOption.code, MintOption.accessToken]
        where arguments.isGiven(option) {
            throw .usage("a notification has no place for --\(option.name); --claim can put anything into it")
        }
    }

    private static func nonce(_ arguments: Arguments) throws(CommandFailure) -> TokenOrder.Nonce? {
        let hashed = try arguments.text(of: MintOption.nonceHashed)
        let plain = try arguments.text(of: MintOption.noncePlain)
        switch (hashed, plain) {
        case (_?, _?): throw .usage("--nonce and --nonce-plain exclude each other")
        case (let raw?, nil): return .hashed(raw)
        case (nil, let value?): return .plain(value)
        case (nil, nil): return nil
        }
    }

    private static func lifetime(_ arguments: Arguments) throws(CommandFailure) -> Int64? {
        let seconds = try arguments.seconds(of: MintOption.expiresIn)
        guard seconds.map(Timestamp.range.contains) ?? true else {
            throw .usage("--expires-in takes less than 2^40 seconds")
        }
        return seconds
    }

    /// `NAME=JSON`, as often as it is given.
    private static func members(
        _ arguments: Arguments,
        _ option: Option
    ) throws(CommandFailure) -> [(name: String, value: JSONOutput?)] {
        var members: [(name: String, value: JSONOutput?)] = []
        for text in try arguments.texts(of: option) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let name = parts.first, let json = parts.last, !name.isEmpty else {
                throw .usage("--\(option.name) takes NAME=JSON, not \(Excerpt.word(text))")
            }
            guard !members.contains(where: { $0.name.isSameBytes(as: name) }) else {
                throw .usage("--\(option.name) \(Excerpt.word(name)) is given twice")
            }
            do throws(JSONError) {
                members.append((name, .value(try JSONDocument(Array(json.utf8)).root)))
            } catch {
                throw .usage(
                    "--\(option.name) \(Excerpt.word(name)): the value is not JSON (\(error.message)); a text needs double "
                        + "quotes: --\(option.name) '\(Excerpt.plain(name))=\"…\"'"
                )
            }
        }
        return members
    }

    // MARK: - Omissions

    /// Leaves out what `--without` names. A name that the token does not have is a mistake, or the token would be taken for
    /// what it is not.
    mutating func applyOmissions(_ mint: TokenMint) throws(CommandFailure) {
        let given = order.claims
        for name in omissions {
            guard !given.contains(where: { $0.name.isSameBytes(as: name) }) else {
                throw .usage("--claim and --without speak of the same claim: \(Excerpt.word(name))")
            }
            if try hasClaim(name, mint) {
                order.set(claim: name, nil)
            } else if mint.header(order)[name] != nil {
                order.set(header: name, nil)
            } else {
                throw .usage("--without \(Excerpt.word(name)): the token has neither such a claim nor such a header")
            }
        }
    }

    private func hasClaim(_ name: String, _ mint: TokenMint) throws(CommandFailure) -> Bool {
        do throws(CryptoError) {
            return try mint.claims(order)[name] != nil
        } catch {
            throw .trouble("the token cannot be made: \(error.reason.rawValue)")
        }
    }
}
