internal import PosternBase
internal import PosternHTTP

/// An answer before it has its header fields.
struct Reply {
    enum Form {
        case json, problem, health, metrics, empty
        /// JSON that everybody may keep, for as long as a field of its own says.
        case published
    }

    let status: Int
    let form: Form
    let body: [UInt8]
    var field: (name: String, value: String)?

    init(status: Int = 200, form: Form = .json, body: [UInt8], field: (name: String, value: String)? = nil) {
        self.status = status
        self.form = form
        self.body = body
        self.field = field
    }

    func response(_ requestID: RequestID) -> HTTP.Response {
        var fields = form.fields
        requestID.append(to: &fields)
        if let field { fields.append(field.name, field.value) }
        return HTTP.Response(status: status, fields: fields, body: body)
    }
}

extension Reply.Form {
    private static let jsonFields = fields("application/json")
    private static let problemFields = fields("application/problem+json")
    private static let healthFields = fields("application/health+json")
    private static let metricsFields = fields(MetricsText.mediaType)
    private static let emptyFields = fields(nil)
    private static let publishedFields = {
        var fields = HTTP.Fields()
        fields.append("Content-Type", "application/json")
        return fields
    }()

    fileprivate var fields: HTTP.Fields {
        switch self {
        case .json: Self.jsonFields
        case .problem: Self.problemFields
        case .health: Self.healthFields
        case .metrics: Self.metricsFields
        case .empty: Self.emptyFields
        case .published: Self.publishedFields
        }
    }

    private static func fields(_ type: String?) -> HTTP.Fields {
        var fields = HTTP.Fields()
        if let type { fields.append("Content-Type", type) }
        // An answer is about one moment, and may hold a nonce or say who somebody is.
        fields.append("Cache-Control", "no-store")
        return fields
    }
}
