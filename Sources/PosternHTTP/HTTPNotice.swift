internal import PosternBase

/// What a server says without asking what a request is about.
package enum HTTPNotice: Sendable {
    /// The request, or the connection, is refused.
    case refused(Refused)
    /// `OPTIONS *`, which is about the server and no path (RFC 9110 §9.3.7).
    case aboutServer

    package struct Refused: Sendable {
        package let status: Int
        /// The words of the status (RFC 9110 §15).
        package let title: String
        /// The stable word for the reason.
        package let code: String
        /// What is wrong and what to do, in English.
        package let detail: String
        /// Seconds until it may go better.
        package let retryAfter: Int?

        package init(status: Int, title: String, code: String, detail: String, retryAfter: Int? = nil) {
            self.status = status
            self.title = title
            self.code = code
            self.detail = detail
            self.retryAfter = retryAfter
        }
    }

    /// As a problem (RFC 9457), with nothing that a responder might add.
    package func response() -> HTTP.Response {
        guard case .refused(let refused) = self else { return HTTP.Response(status: 204) }
        var fields = HTTP.Fields()
        fields.append("Content-Type", "application/problem+json")
        if let seconds = refused.retryAfter { fields.append("Retry-After", "\(seconds)") }
        return HTTP.Response(status: refused.status, fields: fields, body: refused.body())
    }
}

extension HTTPNotice.Refused {
    /// The problem in JSON (RFC 9457 §3): the one form of all refusals, whoever makes them.
    package func body(requestID: String? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.object { writer in
            writer.member("type", "about:blank")
            writer.member("title", title)
            writer.member("status", Int64(status))
            writer.member("detail", detail)
            writer.member("code", code)
            if let requestID { writer.member("request_id", requestID) }
        }
        return writer.finish()
    }
}
