internal import PosternBase
internal import PosternJOSE
internal import PosternKeySets
internal import PosternTokens

extension Option {
    static let out = Option("out", takes: "FILE", "write the key set there, byte for byte as it came")
    static let fetchProvider = Option(
        "provider", takes: "NAME", "whose keys: apple (the default), google, microsoft, facebook, firebase or oidc")
    static let fetchIssuer = Option(
        "issuer", takes: "ISS",
        "the issuer, whose discovery document says where its keys are; stands for --provider oidc")
    static let fetchTenant = Option(
        "tenant", takes: "T", "with --provider microsoft: common (the default), organizations, consumers or a GUID")
}

extension Command {
    static let keysFetch = Command(
        words: ["keys", "fetch"],
        summary: "Fetch a key set now and show it",
        usage: [
            "[OPTION]... [--provider NAME]", "[OPTION]... --issuer ISS", "[OPTION]... URL",
        ],
        ownOptions: [.fetchProvider, .fetchIssuer, .fetchTenant, .out] + NetworkOptions.all,
        operandCount: 0...1,
        notes: [
            "No copy of an earlier run is looked at, and none is left but the one that --out names. With --out nothing is "
                + "written unless a JWK Set with a usable key came."
        ],
        run: KeysFetchCommand.run
    )
}

enum KeysFetchCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let network = try NetworkOptions(arguments)
        let result: Result<FetchedKeySet, KeySetFailure>
        if arguments.operands.isEmpty {
            result = try await fetch(try provider(arguments), network)
        } else {
            let url = try url(arguments, network)
            result = await FetchedKeySet.fetch(from: url, client: try network.client())
        }
        switch result {
        case .failure(let failure): return unavailable(failure)
        case .success(let set):
            if let path = arguments.bytes(of: .out), !set.keys.usable.isEmpty {
                try OutputFile.replace(path, set.body, named: "--out \(RawArguments.quote(path))")
            }
            return answer(set)
        }
    }

    private static func fetch(
        _ provider: Provider,
        _ network: NetworkOptions
    ) async throws(CommandFailure) -> Result<FetchedKeySet, KeySetFailure> {
        let client = try network.client()
        do throws(ConfigurationError) {
            return try await FetchedKeySet.fetch(
                of: provider,
                client: client,
                allowsInsecureLoopback: network.allowsInsecureLoopback
            )
        } catch {
            throw .usage(error.message + network.hint(provider))
        }
    }

    private static func url(_ arguments: Arguments, _ network: NetworkOptions) throws(CommandFailure) -> String {
        for option in [Option.provider, .issuer, .tenant] where arguments.isGiven(option) {
            throw .usage("--\(option.name) and URL exclude each other: both say where the keys are")
        }
        let operand = arguments.operands.first ?? []
        guard !RawArguments.looksLikeToken(operand) else {
            throw .usage("what was given for URL looks like a token; name where a JWK Set is")
        }
        let url = try arguments.text(ofOperand: 0, called: "URL")
        try network.check(url, "URL")
        return url
    }

    private static func provider(_ arguments: Arguments) throws(CommandFailure) -> Provider {
        let choice = try ProviderChoice(
            arguments,
            // Nothing is verified here.
            audiences: [Audience("none", nonce: .unchecked)],
            unlessSaid: arguments.isGiven(.issuer) ? .oidc : .apple,
            tenantUnlessSaid: "common"
        )
        return try choice.provider()
    }

    // MARK: - Answers

    private static func answer(_ set: FetchedKeySet) -> Answer {
        let date = Timestamp.utc(set.fetchedAt).map { " (\($0))" } ?? ""
        return KeysShowCommand.answer(
            set.keys,
            about: [
                ("url", .string(set.url), set.url),
                ("fetched_at", .integer(set.fetchedAt), "\(set.fetchedAt)\(date)"),
                ("time_to_live", .integer(set.timeToLive), "\(set.timeToLive) s"),
            ]
        )
    }

    private static func unavailable(_ failure: KeySetFailure) -> Answer {
        let json: [(String, JSONOutput)] = [
            ("code", .string(failure.code.rawValue)), ("message", .string(failure.message)),
        ]
        return Answer(status: .keysUnavailable, json: .object(json)) { style in
            "\(style.bad("NO KEYS")) \(failure.code)\n\(Layout.plain(failure.message))\n"
        }
    }
}
