internal import PosternBase
internal import PosternHTTP

/// The form that a request to an endpoint of OAuth holds (`application/x-www-form-urlencoded`).
enum FormBody {
    private static let mediaType = "application/x-www-form-urlencoded"

    static func checkType(_ head: ReceivedHead) throws(Problem) {
        guard head.fields.withSingle("Content-Type", { $0.map(isForm) ?? false }) else {
            throw Problem(.mediaTypeUnsupported, "The body must be a form, and Content-Type \(mediaType).")
        }
    }

    /// With no other `charset` than UTF-8; the type knows none, but clients send it.
    private static func isForm(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
        let parts = type.split(separator: 0x3B, omittingEmptySubsequences: false).map { part in
            part.filter { $0 != 0x20 && $0 != 0x09 }.map(ASCIICase.folded)
        }
        guard let first = parts.first, first.elementsEqual(mediaType.utf8) else { return false }
        return parts.dropFirst().allSatisfy { $0.elementsEqual("charset=utf-8".utf8) }
    }

    /// The token of a request and what the client takes it for. Fields that nobody knows are passed over, and one without a value is
    /// not there (RFC 6749 §3.2). `.failure` says what is wrong.
    static func token(_ body: [UInt8]) -> Result<(token: String, hint: String?), OAuthError> {
        guard let form = FormFields(body) else {
            return .failure(.invalidRequest("The body is no form in UTF-8 with at most 64 fields."))
        }
        let names = form.all.map(\.name)
        if let name = form.repeated(among: names) {
            return .failure(.invalidRequest("A field stands twice: \(Excerpt.word(name))."))
        }
        guard let token = form["token"], !token.isEmpty else {
            return .failure(.invalidRequest("token is missing."))
        }
        return .success((token, form["token_type_hint"]))
    }
}

/// What is wrong with a request to an endpoint of OAuth, in its own form (RFC 6749 §5.2).
struct OAuthError: Error {
    let error: String
    let description: String

    static func invalidRequest(_ description: String) -> OAuthError {
        OAuthError(error: "invalid_request", description: description)
    }

    var reply: Reply {
        var writer = JSONWriter(capacity: 128)
        writer.object { writer in
            writer.member("error", error)
            writer.member("error_description", Self.plain(description))
        }
        return Reply(status: 400, body: writer.finish())
    }

    /// Of the characters that a description may have (RFC 6749 §5.2: no quotation mark, no backslash).
    private static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.value {
                    case 0x20...0x21, 0x23...0x5B, 0x5D...0x7E: scalar
                    default: "'"
                    }
                }))
    }
}
