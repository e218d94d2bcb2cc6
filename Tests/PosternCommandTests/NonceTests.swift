import Foundation
import PosternBase
import PosternCrypto
import PosternTokens
import Testing

@Suite struct NonceTests {
    @Test func fresh() throws {
        var seen: Set<String> = []
        for _ in 0..<5 {
            let json = try Invocation.run(["nonce", "--format", "json"]).json()
            #expect(Set(json.keys) == ["nonce", "nonce_sha256"])
            let nonce = try #require(json["nonce"] as? String)
            #expect(Base64URL.decode(nonce)?.count == 32)
            #expect(json["nonce_sha256"] as? String == Nonce.sha256Hex(of: nonce))
            seen.insert(nonce)
        }
        #expect(seen.count == 5)
        let words = try Invocation.run(["nonce"]).text.split { $0 == " " || $0 == "\n" }.map(String.init)
        #expect(words.count == 4 && words[0] == "nonce" && words[2] == "nonce_sha256")
        #expect(words[3] == Nonce.sha256Hex(of: words[1]))
    }

    private static func findings() throws -> [(hex: String, finding: String)] {
        let raw = "YWJj"
        let digest = try HashAlgorithm.sha256.digest(of: Array(raw.utf8))
        let hex = Hex.encode(digest)
        return [
            (hex, "match"), (hex.uppercased(), "upper_case"), (" \(hex)\n", "surrounding_space"), (raw, "not_hashed"),
            (Nonce.sha256Hex(of: hex), "hashed_twice"), (Base64URL.encode(digest), "base64"),
            (Data(digest).base64EncodedString(), "base64"), (Nonce.sha256Hex(of: raw + "\n"), "newline_hashed"),
            (Nonce.sha256Hex(of: raw + "\r\n"), "newline_hashed"), (Nonce.sha256Hex(of: "abc"), "decoded_first"),
            (Hex.encode(try HashAlgorithm.sha512.digest(of: Array(raw.utf8))), "other_hash"),
            (String(hex.prefix(40)), "cut_short"), (Nonce.sha256Hex(of: "other"), "other_nonce"),
            ("", "not_a_hash"), ("zz", "not_a_hash"), ("\u{1B}[2J", "not_a_hash"),
        ]
    }

    @Test func check() throws {
        for (hex, finding) in try Self.findings() {
            let answer = try Invocation.run(["nonce", "--check", "YWJj", "--format", "json", "--", hex])
            #expect(answer.status == (finding == "match" ? 0 : 1), "\(finding)")
            let json = try answer.json()
            #expect(json["finding"] as? String == finding)
            #expect(json["matches"] as? Bool == (finding == "match"))
            let text = try Invocation.run(["nonce", "--check=YWJj", hex])
            #expect(text.text.hasPrefix(finding == "match" ? "MATCH " : "NO MATCH \(finding)\n"))
            #expect(!text.text.contains("YWJj") && !text.text.contains("\u{1B}"))
        }
    }

    @Test func aHashGivenForTheNonce() throws {
        let hash = Nonce.sha256Hex(of: "raw")
        let json = try Invocation.run(["nonce", "--check", hash, hash, "--format", "json"]).json()
        #expect(json["finding"] as? String == "hash_given")
    }

    @Test func nonceThatBeginsWithADash() throws {
        let answer = try Invocation.run(["nonce", "--check", "--help", Nonce.sha256Hex(of: "--help")])
        #expect(answer.status == 0)
    }
}
