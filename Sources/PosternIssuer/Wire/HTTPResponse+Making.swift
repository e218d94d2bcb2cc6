internal import PosternBase
internal import PosternHTTP

extension HTTP.Response {
    /// Nothing that says who somebody is may stay in a cache, so that is what holds unless `cache` says otherwise.
    static func make(
        _ body: [UInt8],
        status: Int = 200,
        type: String,
        cache: String = "no-store",
        fields others: [(name: String, value: String)] = []
    ) -> HTTP.Response {
        var fields = HTTP.Fields()
        fields.append("Content-Type", type)
        fields.append("Cache-Control", cache)
        fields.append("X-Content-Type-Options", "nosniff")
        for field in others { fields.append(field.name, field.value) }
        return HTTP.Response(status: status, fields: fields, body: body)
    }

    static func json(
        _ body: JSONOutput,
        status: Int = 200,
        type: String = "application/json",
        fields: [(name: String, value: String)] = []
    ) -> HTTP.Response {
        make(Array(body.text().utf8), status: status, type: type, fields: fields)
    }
}
