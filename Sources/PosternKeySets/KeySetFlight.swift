internal import PosternBase
internal import PosternHTTP
internal import PosternJOSE

/// Where a source gets its set.
enum KeyLocation: Sendable, Equatable {
    case keySet(url: String)
    /// The issuer's discovery document says where.
    case discovery(issuer: String)

    /// What tells a copy from all others: a key set and a discovery document of one URL are two, and so are sets that came
    /// on the word of different authorities (nil: the system's).
    func identity(trust: String?) -> String {
        let place =
            switch self {
            case .keySet(let url): url
            case .discovery(let issuer): "discovery \(issuer)"
            }
        return trust.map { "\(place) by \($0)" } ?? place
    }

    /// What is asked first.
    var url: String {
        switch self {
        case .keySet(let url): url
        case .discovery(let issuer): Discovery.url(of: issuer)
        }
    }
}

/// A set as it came, with what is needed to ask whether it has changed.
struct KeySetDocument: Sendable {
    let url: String
    let body: [UInt8]
    let entityTag: String?
    let keys: KeySet
}

/// One attempt to get a set: at most two requests, and what they mean. It decides nothing about when.
struct KeySetFlight: Sendable {
    struct Outcome: Sendable {
        let landing: KeySetMachine.Landing
        /// The set that came, or that was confirmed.
        var document: KeySetDocument?
        /// What the discovery document said, while it can be relied on.
        var discovered: Discovery.Found?
    }

    let client: any HTTP.Client
    let location: KeyLocation
    let allowsInsecureLoopback: Bool
    /// The set at hand.
    let known: KeySetDocument?
    /// What the discovery document said before.
    let discovered: Discovery.Found?
    let clock: MonotonicTimeSource

    func fly() async -> Outcome {
        var found: Discovery.Found?
        do throws(KeySetFailure) {
            let url: String
            switch location {
            case .keySet(let pinned): url = pinned
            case .discovery(let issuer):
                let discovery = try await find(issuer)
                found = discovery
                url = discovery.keySetURL
            }
            let (landing, document) = try await fetch(url)
            return Outcome(landing: landing, document: document, discovered: found)
        } catch {
            // The key set may have moved: the next flight asks the discovery document anew.
            return Outcome(landing: .failed(error))
        }
    }

    func find(_ issuer: String) async throws(KeySetFailure) -> Discovery.Found {
        let now = clock.now()
        if let discovered, now < discovered.freshUntil { return discovered }
        let response = try await ask(HTTP.Request(.get, Discovery.url(of: issuer), fields: Self.fields()))
        try Self.check(response, of: "The discovery document")
        let url = try Discovery.keySetURL(
            in: response.body,
            issuer: issuer,
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        let seconds = CacheControl.timeToLive(response.fields) ?? KeySetLimits.usualTimeToLive
        return Discovery.Found(keySetURL: url, freshUntil: now + .seconds(seconds))
    }

    private func fetch(_ url: String) async throws(KeySetFailure) -> (KeySetMachine.Landing, KeySetDocument) {
        var fields = Self.fields()
        let known = known.flatMap { $0.url.isSameBytes(as: url) ? $0 : nil }
        if let tag = known?.entityTag { fields.append("If-None-Match", tag) }
        let response = try await ask(HTTP.Request(.get, url, fields: fields))
        let timeToLive = CacheControl.timeToLive(response.fields)
        // 304 is an answer only to a question that was asked (RFC 9110 §15.4.5).
        if response.status == 304, let known, known.entityTag != nil {
            return (.notModified(timeToLive: timeToLive), known)
        }
        try Self.check(response, of: "The key set")
        let (keys, isChanged) = try keys(in: response.body)
        let document = KeySetDocument(
            url: url,
            body: response.body,
            entityTag: Self.entityTag(response.fields),
            keys: keys
        )
        let seconds = timeToLive ?? KeySetLimits.usualTimeToLive
        return (.fetched(keys, timeToLive: seconds, isChanged: isChanged), document)
    }

    /// The same bytes give the same keys, and keys that stay are not checked again.
    private func keys(in body: [UInt8]) throws(KeySetFailure) -> (KeySet, isChanged: Bool) {
        if let known, known.body == body { return (known.keys, false) }
        let keys: KeySet
        do throws(KeySetError) {
            keys = try KeySet(body, reusing: known?.keys)
        } catch {
            throw KeySetFailure(.notAKeySet, error.message)
        }
        guard !keys.usable.isEmpty else {
            let count = keys.skipped.count
            let reason = keys.skipped.first.map { "; the first of \(count) is skipped: \(Excerpt.plain($0.detail))" }
            throw KeySetFailure(.noUsableKey, "The key set has no usable key\(reason ?? ", it is empty").")
        }
        return (keys, true)
    }

    func ask(_ request: HTTP.Request) async throws(KeySetFailure) -> HTTP.Response {
        do throws(HTTP.ClientError) {
            return try await client.send(request)
        } catch {
            throw KeySetFailure(error)
        }
    }

    static func fields() -> HTTP.Fields {
        var fields = HTTP.Fields()
        fields.append("Accept", "application/json")
        return fields
    }

    static func check(_ response: HTTP.Response, of what: String) throws(KeySetFailure) {
        guard response.status == 200 else {
            guard (300...399).contains(response.status), response.status != 304 else {
                throw KeySetFailure(.badStatus, "\(what) came with status \(response.status), not 200.")
            }
            throw KeySetFailure(.redirected, "\(what) is said to be elsewhere (status \(response.status)).")
        }
        guard response.body.count <= KeySetLimits.largestBody else {
            throw KeySetFailure(.tooLarge, "\(what) is larger than \(KeySetLimits.largestBody) bytes.")
        }
    }

    /// The validator to ask with (RFC 9110 §8.8.3), if it is one and not there just to be carried around.
    private static func entityTag(_ fields: HTTP.Fields) -> String? {
        guard let tag = fields.single("ETag"), isEntityTag(tag) else { return nil }
        return tag
    }

    static func isEntityTag(_ text: String) -> Bool {
        let opaque = text.utf8.starts(with: "W/".utf8) ? text.utf8.dropFirst(2) : text.utf8[...]
        let inner = opaque.dropFirst().dropLast()
        return (2...256).contains(opaque.count) && opaque.first == 0x22 && opaque.last == 0x22
            && inner.allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) }
    }
}
