internal import PosternBase
internal import PosternJOSE
internal import PosternTokens

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
        "keys", takes: "FILE", "the issuer's keys: a JWK Set, at most 1 MiB; a pipe will do, - is standard input")
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
            "[OPTION]... --audience AUD... (--nonce RAW | --nonce-plain VALUE | --no-nonce) --keys FILE [TOKEN|-]",
            "[OPTION]... --audience AUD... --notification --keys FILE [TOKEN|-]",
        ],
        ownOptions: [
            .provider, .issuer, .tenant, .audience, .presenter, .algorithm, .nonceHashed, .noncePlain, .noNonce, .keys,
            .at, .leeway, .maximumAge, .code, .accessToken, .notification,
        ],
        operandCount: 0...1,
        notes: [
            "Without TOKEN, or when it is -, the token is read from standard input, where one newline (LF or CRLF) at its end "
                + "is dropped. Programs should hand it in there: arguments are seen by others on the machine, and a TOKEN that "
                + "begins with a dash is taken for an option unless -- stands before it."
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
    static func run(_ arguments: Arguments) throws(CommandFailure) -> Answer {
        let settings = try VerifySettings(arguments)
        let keys = try InputFile.keySet(settings.keyFile)
        let token = try InputFile.token(settings.token)
        do throws(ConfigurationError) {
            let verifier = try TokenVerifier(settings.provider, keys: StaticKeySource(keys), time: settings.time)
            let answer = answer(verifier, settings, token)
            if answer.status == .refused { InputFile.hintAtFile(settings.token) }
            return answer
        } catch {
            throw .usage(error.message)
        }
    }

    private static func answer(_ verifier: TokenVerifier, _ settings: VerifySettings, _ token: [UInt8]) -> Answer {
        do throws(VerificationFault) {
            return settings.isNotification
                ? try notification(verifier, token)
                : try identity(verifier, settings, token)
        } catch {
            return fault(error)
        }
    }

    private static func identity(
        _ verifier: TokenVerifier,
        _ settings: VerifySettings,
        _ token: [UInt8]
    ) throws(VerificationFault) -> Answer {
        let verdict = try token.withUnsafeBufferPointer { bytes throws(VerificationFault) in
            try verifier.verdictNow(
                bytes,
                nonce: settings.nonce,
                code: settings.code,
                accessToken: settings.accessToken
            )
        }
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

    private static func notification(
        _ verifier: TokenVerifier,
        _ token: [UInt8]
    ) throws(VerificationFault) -> Answer {
        let verdict = try token.withUnsafeBufferPointer { bytes throws(VerificationFault) in
            try verifier.notificationVerdictNow(bytes)
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
        let json: [(String, JSONOutput)] = [
            ("verdict", .string("fault")), ("code", .string(fault.code)), ("message", .string(fault.message)),
        ]
        return Answer(status: .keysUnavailable, json: .object(json)) { style in
            "\(style.warning("NO VERDICT")) \(fault.code)\n\(Layout.plain(fault.message))\n"
        }
    }
}
