internal import PosternBase
internal import PosternJOSE
internal import PosternTokens

/// A token, and all that it is judged by.
struct OwnTokenCase {
    static let optionalMembers = [
        "token", "tokenHex", "tokenRepeat", "nonce", "audienceNonceRules", "code", "accessToken", "notification",
        "narrow",
    ]

    let isNotification: Bool
    private let token: OwnTokenText
    private let provider: Result<Provider, ConfigurationError>
    private let keys: OwnKeySet
    private let time: Int64
    private let nonce: String?
    private let code: String?
    private let accessToken: String?
    private let audience: String?

    init(_ fields: Fields, _ keySets: OwnKeySets) throws(VectorFault) {
        isNotification = try fields.optionalFlag("notification") ?? false
        token = try OwnTokenText(fields)
        keys = try keySets.set(try fields.text("keys"))
        time = try fields.integer("at")
        guard (0..<(1 << 53)).contains(time) else { throw fields.misfit("at", "a number of seconds from 0 to 2^53") }
        code = try fields.optionalText("code")
        accessToken = try fields.optionalText("accessToken")
        audience = try fields.optionalText("narrow")
        let nonces = try OwnNonceRules(fields, isNotification: isNotification)
        nonce = nonces.value
        provider = try OwnProvider.provider(try fields.value("provider"), nonces, at: "\(fields.place), provider")
        if isNotification, code != nil || accessToken != nil {
            throw VectorFault("\(fields.place): a notification comes with no code and no access token.")
        }
    }

    func finding(disabled: [VerifierRule]) -> OwnFinding {
        let source: any KeySource = keys.keys.map { StaticKeySource($0) } ?? NoKeys()
        let verifier: TokenVerifier
        do throws(ConfigurationError) {
            verifier = try TokenVerifier(
                try provider.get(), keys: source, time: .fixed(time), testOnlyDisabled: disabled)
        } catch {
            return .broken(error.message)
        }
        return token.bytes.withUnsafeBufferPointer { bytes in
            do throws(VerificationError) {
                return .accepted(try accepted(bytes, verifier))
            } catch {
                switch error {
                case .refused(let refusal): return .refused(refusal.code.rawValue)
                case .fault(let fault): return .fault(fault.code.rawValue)
                }
            }
        }
    }

    private func accepted(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ verifier: TokenVerifier
    ) throws(VerificationError) -> OwnFinding.Accepted {
        if isNotification { return OwnFinding.Accepted(try verifier.notificationNow(bytes, audience: audience)) }
        return OwnFinding.Accepted(
            try verifier.identityNow(bytes, nonce: nonce, audience: audience, code: code, accessToken: accessToken)
        )
    }
}

/// The bytes of the token in one of its three spellings.
private struct OwnTokenText {
    /// Enough to show that a huge token costs nothing, too little to exhaust the memory of the reader.
    private static let maximumSize = 64 << 20

    private let text: [UInt8]
    private let count: Int

    /// The whole token; a repeated text is only as long as the case runs.
    var bytes: [UInt8] {
        switch (count, text.first) {
        case (1, _): text
        case (_, let only?) where text.count == 1: Array(repeating: only, count: count)
        default: (0..<count).reduce(into: []) { bytes, _ in bytes += text }
        }
    }

    init(_ fields: Fields) throws(VectorFault) {
        guard ["token", "tokenHex", "tokenRepeat"].filter(fields.has).count == 1 else {
            throw VectorFault("\(fields.place) does not have exactly one of token, tokenHex and tokenRepeat.")
        }
        if fields.has("token") {
            (text, count) = (Array(try fields.text("token").utf8), 1)
        } else if fields.has("tokenHex") {
            (text, count) = (try fields.hex("tokenHex"), 1)
        } else {
            (text, count) = try Self.repetition(try fields.value("tokenRepeat"), at: "\(fields.place), tokenRepeat")
        }
    }

    private static func repetition(
        _ value: JSONValue,
        at place: String
    ) throws(VectorFault) -> (text: [UInt8], count: Int) {
        let fields = try Fields(value, at: place, required: ["text", "count"])
        let text = Array(try fields.text("text").utf8)
        guard let count = Int(exactly: try fields.integer("count")), count > 0, !text.isEmpty,
            count <= maximumSize / text.count
        else { throw fields.misfit("count", "a number of at most 64 MiB of text") }
        return (text, count)
    }
}

/// A source whose key set cannot be read.
private struct NoKeys: KeySource {
    func current() -> KeySet? { nil }

    func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet {
        throw VerificationFault.keysUnavailable("The key set of the case is malformed.")
    }
}
