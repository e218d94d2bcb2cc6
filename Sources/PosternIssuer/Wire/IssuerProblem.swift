internal import PosternBase
internal import PosternHTTP

/// The stable words for what can be wrong with a request to the issuer (`Docs/Errors.md`).
package enum IssuerProblemCode: String, Sendable, CaseIterable {
    case bodyMalformed = "body_malformed"
    case memberUnknown = "member_unknown"
    case memberMissing = "member_missing"
    case memberInvalid = "member_invalid"
    case userUnknown = "user_unknown"
    case hostUnexpected = "host_unexpected"
    case pathUnknown = "path_unknown"
    case methodNotAllowed = "method_not_allowed"
    case mediaTypeUnsupported = "media_type_unsupported"
    case serverError = "server_error"
    case notReady = "not_ready"

    package var status: (code: Int, title: String) {
        switch self {
        case .bodyMalformed, .memberUnknown, .memberMissing, .memberInvalid, .userUnknown: (400, "Bad Request")
        case .hostUnexpected: (403, "Forbidden")
        case .pathUnknown: (404, "Not Found")
        case .methodNotAllowed: (405, "Method Not Allowed")
        case .mediaTypeUnsupported: (415, "Unsupported Media Type")
        case .serverError: (500, "Internal Server Error")
        case .notReady: (503, "Service Unavailable")
        }
    }
}

/// Why a request gets no answer of its own (RFC 9457).
struct IssuerProblem: Error {
    let code: IssuerProblemCode
    let detail: String
    var field: (name: String, value: String)?

    init(_ code: IssuerProblemCode, _ detail: String, field: (name: String, value: String)? = nil) {
        self.code = code
        self.detail = detail
        self.field = field
    }

    var response: HTTP.Response {
        let (status, title) = code.status
        let problem = HTTPNotice.Refused(status: status, title: title, code: code.rawValue, detail: detail)
        return .make(
            problem.body(), status: status, type: "application/problem+json", fields: field.map { [$0] } ?? [])
    }
}
