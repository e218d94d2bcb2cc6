internal import PosternBase
internal import PosternJOSE
internal import PosternKeySets
internal import PosternTokens
internal import PosternTransport

extension Option {
    static let provider = Option(
        "provider",
        takes: "NAME",
        "who issued the token: apple (the default), google, microsoft, facebook, firebase or oidc"
    )
    static let issuer = Option(
        "issuer", takes: "ISS", "the issuer, byte for byte; with --provider oidc, and only there")
    static let tenant = Option(
        "tenant",
        takes: "T",
        "common, organizations, consumers or the GUID of a tenant; with --provider microsoft, and only there"
    )
    static let audience = Option(
        "audience",
        takes: "AUD",
        isRepeatable: true,
        "a client ID of yours that the token may be for; for firebase the project ID, just one"
    )
    static let presenter = Option(
        "presenter",
        takes: "ID",
        isRepeatable: true,
        "a client that may present tokens (azp) besides the audiences; not for firebase"
    )
    static let algorithm = Option(
        "algorithm",
        takes: "ALG",
        isRepeatable: true,
        "an algorithm that is allowed, RS256 unless said; with --provider oidc, and only there"
    )
    static let nonceHashed = Option("nonce", takes: "RAW", "the raw nonce, of which the token holds the SHA-256 in hex")
    static let noncePlain = Option(
        "nonce-plain", takes: "VALUE",
        "the nonce, which the token holds as it is: no protection unless you take each nonce once")
    static let noNonce = Option(
        "no-nonce", "do not look at the nonce (Firebase tokens have none): the token may be a replay")
    static let keys = Option(
        "keys",
        takes: "FILE|URL",
        "the issuer's keys, a JWK Set: in a file, a pipe or, with -, on standard input (at most 1 MiB), or at this https "
            + "URL; unless said they are fetched from the issuer"
    )
    static let at = Option(
        "at", takes: "UNIX|RFC3339",
        "judge at this time instead of now: seconds since 1970, or RFC 3339 with its offset")
    static let leeway = Option("leeway", takes: "SECONDS", "how far clocks may differ: 0 to 300, 60 unless said")
    static let maximumAge = Option(
        "max-age",
        takes: "SECONDS|none",
        "greatest age of the token, or none; unless said 600 for apple, 3600 for others, none for firebase"
    )
    static let code = Option(
        "code", takes: "CODE", "the authorization code that came with the token: c_hash must fit it")
    static let accessToken = Option(
        "access-token", takes: "T", "the access token that came with the token: at_hash must fit it")
    static let notification = Option(
        "notification",
        "the token is a server notification of Apple, not an identity token; takes no nonce"
    )
}

extension Command {
    static let verify = Command(
        words: ["verify"],
        summary: "Verify an identity token and explain the verdict",
        usage: [
            "[OPTION]... --audience AUD... (--nonce RAW | --nonce-plain VALUE | --no-nonce) [--keys FILE|URL] [TOKEN|-]",
            "[OPTION]... --audience AUD... --notification [--keys FILE|URL] [TOKEN|-]",
        ],
        ownOptions: [
            .provider, .issuer, .tenant, .audience, .presenter, .algorithm, .nonceHashed, .noncePlain, .noNonce, .keys,
            .at, .leeway, .maximumAge, .code, .accessToken, .notification,
        ] + NetworkOptions.all,
        operandCount: 0...1,
        notes: [
            "Without TOKEN, or when it is -, the token is read from standard input, where one newline (LF or CRLF) at its end "
                + "is dropped. Programs should hand it in there: arguments are seen by others on the machine, and a TOKEN that "
                + "begins with a dash is taken for an option unless -- stands before it.",
            "Fetched keys are kept in $XDG_CACHE_HOME/postern (~/.cache/postern) for as long as their issuer allows, from 5 "
                + "minutes to 24 hours, and serve for 24 hours more while it cannot be asked.",
        ],
        run: VerifyCommand.run
    )
}

extension RefusalCode {
    /// The message speaks of rules, as settings do; here they are options.
    fileprivate var nonceNote: String? {
        guard [.nonceMissing, .nonceMismatch].contains(self) else { return nil }
        return "Here --nonce is the rule hashed, --nonce-plain the rule plain, --no-nonce the rule unchecked."
    }
}

enum VerifyCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let settings = try VerifySettings(arguments)
        switch settings.keys {
        case .file(let path):
            // Who makes both writes the key file before the token, so a file is read after it. A pipe is read first: its
            // writer waits for us before it goes on to the token.
            let early = InputFile.isSpecial(path) ? try InputFile.keySet(path) : nil
            let token = try InputFile.token(settings.token)
            let keys = if let early { early } else { try InputFile.keySet(path) }
            return try await answer(settings, StaticKeySource(keys), token)
        case .issuer(let network):
            let client = try network.client()
            let folder = CacheFolder.path(for: network)
            let trust = try CacheFolder.trust(of: network)
            let source = try source(settings.provider, network, client, folder, trust)
            let token = try InputFile.token(settings.token)
            let answer = try await answer(settings, source, token)
            await source.finishWriting()
            return answer
        }
    }

    private static func source(
        _ provider: Provider,
        _ network: NetworkOptions,
        _ client: CurlClient,
        _ folder: String?,
        _ trust: String?
    ) throws(CommandFailure) -> RemoteKeySource {
        do throws(ConfigurationError) {
            return try RemoteKeySource(
                provider,
                client: client,
                keyFolder: folder,
                allowsInsecureLoopback: network.allowsInsecureLoopback,
                trust: trust,
                // This process ends with one token, and would break the fetch off.
                refreshesAhead: false,
                observer: KeyNotices.tell
            )
        } catch {
            throw .usage(error.message + network.hint(provider))
        }
    }

    private static func answer(
        _ settings: VerifySettings,
        _ keys: any KeySource,
        _ token: [UInt8]
    ) async throws(CommandFailure) -> Answer {
        let verifier: TokenVerifier
        do throws(ConfigurationError) {
            verifier = try TokenVerifier(settings.provider, keys: keys, time: settings.time)
        } catch {
            throw .usage(error.message)
        }
        do throws(VerificationFault) {
            let answer =
                settings.isNotification
                ? try await notification(verifier, token)
                : try await identity(verifier, settings, token)
            if answer.status == .refused { InputFile.hintAtFile(settings.token) }
            return answer
        } catch {
            return fault(error)
        }
    }

    private static func identity(
        _ verifier: TokenVerifier,
        _ settings: VerifySettings,
        _ token: [UInt8]
    ) async throws(VerificationFault) -> Answer {
        let verdict = try await verdict(verifier, settings, token)
        switch verdict.outcome {
        case .accepted(let identity):
            return Answer(status: .success, json: verdict.json) { style in
                VerdictText.accepted("\(identity.provider) identity token", identity.rows, verdict.checks, style)
            }
        case .refused(let refusal):
            return Answer(status: .refused, json: verdict.json) { style in
                VerdictText.refused(refusal, verdict.checks, style, note: refusal.code.nonceNote)
            }
        }
    }

    private static func verdict(
        _ verifier: TokenVerifier,
        _ settings: VerifySettings,
        _ token: [UInt8]
    ) async throws(VerificationFault) -> Verdict {
        let (code, accessToken) = (settings.code, settings.accessToken)
        guard let text = String(validating: token, as: UTF8.self) else {
            // Refused for its form, before any key is looked for.
            return try token.withUnsafeBufferPointer { bytes throws(VerificationFault) in
                try verifier.verdictNow(bytes, nonce: settings.nonce, code: code, accessToken: accessToken)
            }
        }
        guard let nonce = settings.nonce else {
            return try await verifier.check(text, nonce: .unchecked, code: code, accessToken: accessToken)
        }
        return try await verifier.check(text, nonce: nonce, code: code, accessToken: accessToken)
    }

    private static func notification(
        _ verifier: TokenVerifier,
        _ token: [UInt8]
    ) async throws(VerificationFault) -> Answer {
        let verdict: NotificationVerdict
        if let text = String(validating: token, as: UTF8.self) {
            verdict = try await verifier.checkNotification(text)
        } else {
            verdict = try token.withUnsafeBufferPointer { bytes throws(VerificationFault) in
                try verifier.notificationVerdictNow(bytes)
            }
        }
        switch verdict.outcome {
        case .accepted(let notification):
            return Answer(status: .success, json: verdict.json) { style in
                VerdictText.accepted("server notification", notification.rows, verdict.checks, style)
            }
        case .refused(let refusal):
            return Answer(status: .refused, json: verdict.json) { VerdictText.refused(refusal, verdict.checks, $0) }
        }
    }

    private static func fault(_ fault: VerificationFault) -> Answer {
        Answer(status: .keysUnavailable, json: .written { VerdictJSON.fault(fault, &$0) }) { style in
            "\(style.warning("NO VERDICT")) \(fault.code.rawValue)\n\(Layout.plain(fault.message))\n"
        }
    }
}
