import Foundation
import Testing

@Suite struct KeysShowTests {
    private func show(_ keys: String, _ options: [String] = []) throws -> Invocation {
        let folder = try TemporaryFolder()
        return try .run(["keys", "show", folder.file(containing: Data(keys.utf8)).path] + options)
    }

    @Test func usableAndSkipped() throws {
        let rsa = try TestIssuer.rsa.get().jwk
        let ec = try TestIssuer.ec.get().jwk
        let leak = #"{"kty":"oct","k":"AAAA","kid":"\u001b[2Jleak"}"#
        let keys = #"{"keys":[\#(rsa),\#(leak),7,\#(ec),{"kty":"RSA","use":"enc"}]}"#
        let answer = try show(keys, ["--format", "json"])
        #expect(answer.status == 0)
        let json = try answer.json()
        let usable = try #require(json["usable"] as? [[String: Any]])
        #expect(usable.map { $0["type"] as? String } == ["RSA 2048", "EC P-256"])
        #expect(usable.map { $0["kid"] as? String } == ["KEY1", nil])
        #expect(usable[1]["algorithms"] as? [String] == ["ES256"])
        #expect((usable[0]["thumbprint"] as? String)?.utf8.count == 43)
        let skipped = try #require(json["skipped"] as? [[String: Any]])
        #expect(skipped.map { $0["position"] as? Int } == [1, 2, 4])
        #expect(skipped.map { $0["reason"] as? String } == ["symmetric", "not_an_object", "use"])
        #expect(skipped.map { $0["alarming"] as? Bool } == [true, false, false])
        #expect(skipped[0]["kid"] as? String == "\u{1B}[2Jleak")

        let text = try show(keys)
        #expect(text.status == 0)
        #expect(text.text.hasPrefix("ALARM: this set gives secrets away (keys[1])."))
        for part in ["KEY1", "RSA 2048", "Usable keys: 2", "Skipped members: 3", "keys[4]", #"\u{1B}[2Jleak"#] {
            #expect(text.text.contains(part), "\(part)")
        }
        #expect(!text.text.contains("\u{1B}"))
    }

    @Test func membersNotRead() throws {
        let keys = #"{"keys":[\#(String(repeating: "1,", count: 256))1]}"#
        #expect(try show(keys, ["--format=json"]).json()["unread"] as? Int == 1)
        #expect(try show(keys).text.hasSuffix("Members after these, not read: 1\n"))
    }

    @Test func nothingUsable() throws {
        let empty = try show(#"{"keys":[]}"#)
        #expect(empty.status == 3)
        #expect(empty.text.contains("NO USABLE KEY"))
        #expect(try show(#"{"keys":[{"kty":"RSA"}]}"#, ["--format=json"]).status == 3)
        #expect(try show("{}").status == 2)
    }
}
