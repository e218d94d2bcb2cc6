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

    private static let digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    private static let head =
        #"{"version":2,"source":"s","key_set_url":"u","fetched_at":1,"time_to_live":300,"etag":null,"set_sha256":"\#(digest)"}"#

    @Test func theLeastThatIsTaken() throws {
        #expect(try StoredKeySet(Array((Self.head + "\n{}").utf8)).set == Array("{}".utf8))
    }

    @Test(arguments: [
        (#""version":2"#, #""version":1"#), (#""source":"s""#, #""source":1"#), (#":"u""#, ":null"),
        (#""fetched_at":1"#, #""fetched_at":-1"#), (#""fetched_at":1"#, #""fetched_at":1e300"#),
        (#""fetched_at":1"#, #""fetched_at":1.5"#), (#""fetched_at":1"#, #""fetched_at":"1""#), (":300", ":299"),
        (":300", ":86401"), (#""etag":null"#, #""etag":"a\r\nb: c""#), (#""etag":null,"#, ""),
        ("set_sha256", "set_sha512"), (digest, "34" + digest.dropFirst(2)), (digest, digest.uppercased()),
    ])
    func aHeadThatWasNotWrittenIsDamaged(_ part: String, _ change: String) {
        expectDamage(Self.head.replacing(part, with: change) + "\n{}")
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "\u{0}", "\n", "null\n{}", "[]\n{}", "{}\n{}", head, head + "\n", head + "\n{} ",
        head + "\n{",
    ])
    func whatWasNotWrittenIsDamaged(_ text: String) { expectDamage(text) }

    private func expectDamage(_ text: String) {
        do throws(DiskCopyFault) {
            _ = try StoredKeySet(Array(text.utf8))
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .damaged)
        }
    }
}
