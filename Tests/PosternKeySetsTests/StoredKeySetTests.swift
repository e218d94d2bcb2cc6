import PosternKeySets
import Testing

@Suite struct StoredKeySetTests {
    private static let good = StoredKeySet(
        source: "https://id.example.com/\"\\",
        keySetURL: "https://keys.example.com/",
        fetchedAt: 1_790_000_000,
        timeToLive: 3600,
        entityTag: "W/\"a\"",
        // As it came, white space and all.
        set: Array(" {\"keys\":\n[ 1e400 ] }\n".utf8)
    )

    @Test func whatIsWrittenIsRead() throws {
        #expect(try StoredKeySet(Self.good.bytes) == Self.good)
        let bare = StoredKeySet(
            source: "s", keySetURL: "u", fetchedAt: 0, timeToLive: 300, entityTag: nil, set: Array("{}".utf8))
        #expect(try StoredKeySet(bare.bytes) == bare)
    }

    /// Cut anywhere, changed anywhere: no trap, and never another set than the one that was written or a fault.
    @Test func everyCutIsDamage() {
        let bytes = Self.good.bytes
        for count in 0..<bytes.count {
            #expect(throws: DiskCopyFault.self) { try StoredKeySet(Array(bytes[..<count])) }
        }
        for position in bytes.indices {
            for byte in [0, 0x20, 0x22, 0x39, 0x5C, 0x7B, 0x7D, 0xFF] as [UInt8] {
                var changed = bytes
                changed[position] = byte
                _ = try? StoredKeySet(changed)
            }
        }
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "\u{0}", "\n", "null\n{}", "[]\n{}", "{}\n{}",
        #"{"version":1,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":300,"etag":null,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":1,"key_set_url":"u","fetched_at":1,"time_to_live":300,"etag":null,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":null,"fetched_at":1,"time_to_live":300,"etag":null,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":-1,"time_to_live":300,"etag":null,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1e300,"time_to_live":300,"etag":null,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1.5,"time_to_live":300,"etag":null,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":"1","time_to_live":300,"etag":null,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":299,"etag":null,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":86401,"etag":null,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":300,"etag":"a\r\nb: c","set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":300,"set_bytes":2}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":300,"etag":null}"# + "\n{}",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":300,"etag":null,"set_bytes":2}"#,
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":300,"etag":null,"set_bytes":2}"# + "\n",
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":300,"etag":null,"set_bytes":2}"# + "\n{} ",
    ])
    func whatWasNotWrittenIsDamaged(_ text: String) {
        do throws(DiskCopyFault) {
            _ = try StoredKeySet(Array(text.utf8))
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .damaged)
        }
    }
}
