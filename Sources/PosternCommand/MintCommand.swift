internal import PosternBase
internal import PosternCrypto
internal import PosternIssuer
internal import PosternJOSE

extension Command {
    static let mint = Command(
        words: ["mint"],
        summary: "Make a TEST token and the key set that goes with it",
        usage: ["[OPTION]... --keys-out FILE", "[OPTION]... --key FILE"],
        ownOptions: MintOption.all,
        operandCount: 0...0,
        notes: [
            "FOR TESTS ONLY. No issuer has signed what this makes: a minted token is accepted only by whoever is told to take "
                + "its keys, as with 'postern verify --keys FILE'. Never name such keys where real people sign in.",
            "Unless an option says otherwise the token is a good one of its provider, issued now. The key set is written "
                + "before the token, so that a command behind a pipe finds both.",
            "JSON is an object, array, number, true, false, null, or a text in double quotes: --claim 'email=\"a@b.example\"'.",
        ],
        run: MintCommand.run
    )
}

enum MintCommand {
    private static let largestKeyFile = 65_536

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        var settings = try MintSettings(arguments)
        let (key, isNew) = try key(settings)
        let mint = TokenMint(key)
        try settings.applyOmissions(mint)
        let made = try make(mint, settings.order)
        // The token comes last, so that whoever reads it finds the files.
        if isNew, let path = settings.keyFile {
            try OutputFile.create(path, made.pem, mode: 0o600, named: name(MintOption.key, path))
        }
        if let path = settings.keySetFile {
            try settings.checkFiles()
            try keepOthers(path)
            let bytes = Array((made.keys.text() + "\n").utf8)
            try OutputFile.replace(path, bytes, named: name(MintOption.keysOut, path))
        }
        if settings.losesKeys(try arguments.format()) {
            StandardStreams.complain("postern: nothing can verify this token: keep its keys with --keys-out or --key\n")
        }
        let json: [(String, JSONOutput)] = [
            ("token", .string(made.token)), ("keys", made.keys), ("key_id", .optional(key.keyID)),
            ("algorithm", .string(key.algorithm.name)), ("header", mint.header(settings.order).json),
            ("claims", made.claims),
        ]
        return Answer(status: .success, json: .object(json)) { _ in made.token + "\n" }
    }

    /// What is no key set is somebody's: a private key, as likely as not.
    private static func keepOthers(_ path: [UInt8]) throws(CommandFailure) {
        guard InputFile.exists(path), !InputFile.isSpecial(path) else { return }
        let name = name(MintOption.keysOut, path)
        let bytes = try InputFile.contents(of: path, named: name, upTo: KeySet.maximumSize + 1)
        guard bytes.isEmpty || (try? JSONDocument(bytes).root["keys"]) != nil else {
            throw .trouble("\(name) is there and is no key set: name another file, or remove this one")
        }
    }

    private struct Made {
        let token: String
        let claims: JSONOutput
        let keys: JSONOutput
        let pem: [UInt8]
    }

    private static func make(_ mint: TokenMint, _ order: TokenOrder) throws(CommandFailure) -> Made {
        do throws(CryptoError) {
            let claims = try mint.claims(order)
            let token = try mint.token(header: mint.header(order), claims: claims)
            return Made(token: token, claims: claims.json, keys: try mint.key.keySet(), pem: try mint.key.pem())
        } catch {
            throw failure("the token cannot be made", error)
        }
    }

    private static func name(_ option: Option, _ path: [UInt8]) -> String {
        "--\(option.name) \(RawArguments.quote(path))"
    }

    // MARK: - The key

    private static func key(_ settings: MintSettings) throws(CommandFailure) -> (MintingKey, isNew: Bool) {
        guard let path = settings.keyFile, InputFile.exists(path) || InputFile.isSpecial(path) else {
            return (try generate(settings), true)
        }
        return (try read(path, named: name(MintOption.key, path), settings), false)
    }

    private static func generate(_ settings: MintSettings) throws(CommandFailure) -> MintingKey {
        do throws(CryptoError) {
            return try .generate(settings.algorithm ?? .rs256, keyID: settings.keyID)
        } catch {
            throw failure("no key can be made", error)
        }
    }

    private static func read(
        _ path: [UInt8],
        named name: String,
        _ settings: MintSettings
    ) throws(CommandFailure) -> MintingKey {
        let pem = try InputFile.contents(of: path, named: name, upTo: largestKeyFile + 1)
        guard pem.count <= largestKeyFile else {
            throw .trouble("\(name) is larger than \(largestKeyFile) bytes, so it is no private key")
        }
        do throws(CryptoError) {
            return try MintingKey(pem: pem, algorithm: settings.algorithm, keyID: settings.keyID)
        } catch {
            if error.reason == .unsupported, let algorithm = settings.algorithm {
                throw .usage("--algorithm \(algorithm.name) does not fit the key of \(name)")
            }
            throw .trouble(
                "\(name) holds no private key that can mint: it must be unencrypted PEM, RSA of 2048 to 8192 bits, "
                    + "P-256, P-384, P-521 or Ed25519"
            )
        }
    }

    private static func failure(_ what: String, _ error: CryptoError) -> CommandFailure {
        .trouble(
            "\(what): \(error.reason.rawValue)" + (error.detail.isEmpty ? "" : " (\(Excerpt.plain(error.detail)))"))
    }
}
