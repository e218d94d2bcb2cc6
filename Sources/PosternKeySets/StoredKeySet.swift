internal import PosternBase
internal import PosternJOSE

/// A key set as it stands on disk.
package struct StoredKeySet: Sendable, Equatable {
    /// What the source was told to ask, and whom to trust.
    package let source: String
    /// Where the set came from: the same, or what the discovery document said.
    package let keySetURL: String
    /// Seconds since 1970.
    package let fetchedAt: Int64
    /// Seconds from then on for which the set is fresh.
    package let timeToLive: Int64
    package let entityTag: String?
    /// The JWK Set as it came, a JSON text.
    package let set: [UInt8]

    package init(
        source: String,
        keySetURL: String,
        fetchedAt: Int64,
        timeToLive: Int64,
        entityTag: String?,
        set: [UInt8]
    ) {
        self.source = source
        self.keySetURL = keySetURL
        self.fetchedAt = fetchedAt
        self.timeToLive = timeToLive
        self.entityTag = entityTag
        self.set = set
    }

    private static let version: Int64 = 2

    /// What the file holds: a line of JSON about the set, then the set as it came, byte for byte.
    package var bytes: [UInt8] {
        let head = JSONOutput.object([
            ("version", .integer(Self.version)),
            ("source", .string(source)),
            ("key_set_url", .string(keySetURL)),
            ("fetched_at", .integer(fetchedAt)),
            ("time_to_live", .integer(timeToLive)),
            ("etag", .optional(entityTag)),
            ("set_sha256", .optional(KeyTrust.sha256(set))),
        ])
        return Array(head.text().utf8) + [Self.lineEnd] + set
    }

    private static let lineEnd = UInt8(ascii: "\n")

    /// Reads what `bytes` wrote; whether the set is one shows in `document`.
    package init(_ bytes: [UInt8]) throws(DiskCopyFault) {
        guard let end = bytes.firstIndex(of: Self.lineEnd) else {
            throw DiskCopyFault(.damaged, "its first line has no end")
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(Array(bytes[..<end])).root
        } catch {
            throw DiskCopyFault(.damaged, "it is not JSON: \(error.message)")
        }
        guard root["version"]?.integer == Self.version else { throw DiskCopyFault(.damaged, "its version is unknown") }
        guard let source = root["source"]?.string, let url = root["key_set_url"]?.string, let tag = root["etag"],
            tag.kind == .null || tag.string.map(KeySetFlight.isEntityTag) == true
        else { throw DiskCopyFault(.damaged, "a member is missing or of the wrong type") }
        let set = Array(bytes[(end + 1)...])
        // A byte that has changed could name another key, and the issuer would confirm the set by its ETag.
        guard let digest = KeyTrust.sha256(set), root["set_sha256"]?.stringEquals(digest) == true else {
            throw DiskCopyFault(.damaged, "its set is not the one that was written")
        }
        guard let second = root["fetched_at"]?.integer, (0...1 << 40).contains(second),
            let seconds = root["time_to_live"]?.integer, seconds == CacheControl.clamp(seconds)
        else { throw DiskCopyFault(.damaged, "a time is missing or out of range") }
        self.init(
            source: source,
            keySetURL: url,
            fetchedAt: second,
            timeToLive: seconds,
            entityTag: tag.string,
            set: set
        )
    }

    /// The seconds since the set was fetched, if it may still serve.
    func age(at now: Int64) throws(DiskCopyFault) -> Int64 {
        // Either clock may be wrong, so there is no saying how old it is.
        guard fetchedAt <= now else { throw DiskCopyFault(.inTheFuture, "it was made later than now") }
        // Both are far from the ends of their range: the stamp by its check, and `now` is no less.
        let (age, overflow) = now.subtractingReportingOverflow(fetchedAt)
        guard !overflow, age < timeToLive + KeySetLimits.staleTime.components.seconds else {
            throw DiskCopyFault(.tooOld, "it is more than a day past its time")
        }
        return age
    }

    func document() throws(DiskCopyFault) -> KeySetDocument {
        if let fault = KeySetURL.fault(of: keySetURL, allowsInsecureLoopback: false) {
            throw DiskCopyFault(.damaged, "its set came from where none may come from: \(fault)")
        }
        let keys: KeySet
        do throws(KeySetError) {
            keys = try KeySet(set)
        } catch {
            throw DiskCopyFault(.damaged, error.message)
        }
        guard !keys.usable.isEmpty else { throw DiskCopyFault(.damaged, "its set has no usable key") }
        return KeySetDocument(url: keySetURL, body: set, entityTag: entityTag, keys: keys)
    }
}
