internal import PosternBase
internal import PosternHTTP

/// A client that notes what the clock of the server said.
final class DatedClient: HTTP.Client {
    private let client: any HTTP.Client
    private let time: TimeSource
    private let last = Lock<Int64?>(nil)

    init(_ client: any HTTP.Client, _ time: TimeSource) {
        self.client = client
        self.time = time
    }

    /// Seconds by which this machine's clock was ahead of the last server's; nil when none has said.
    var difference: Int64? { last.withLock { $0 } }

    func send(_ request: HTTP.Request) async throws(HTTP.ClientError) -> HTTP.Response {
        let response = try await client.send(request)
        if let difference = Self.difference(response.fields, now: time.now()) { last.withLock { $0 = difference } }
        return response
    }

    /// An answer that comes from a cache has the date of its making, and its age since (RFC 9111 §4.2.3).
    static func difference(_ fields: HTTP.Fields, now: Int64) -> Int64? {
        guard let date = fields.single("Date").flatMap({ HTTPDate.seconds($0) }) else { return nil }
        let age = fields.single("Age").flatMap { DecimalDigits.value(of: $0) } ?? 0
        guard (0...86_400 * 366).contains(age) else { return nil }
        return now - date - age
    }
}
