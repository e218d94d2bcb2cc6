import Foundation
import PosternVectors
import Testing

@Suite("The formats of others")
struct OutsideFormatTests {
    @Test("The samples pass", arguments: [Samples.wycheproof, Samples.digests])
    func samples(content: String) throws {
        let report = try #require(try TemporaryFolder.report(content))
        #expect(report.fault == nil)
        #expect(report.counts == VectorCounts(passed: 1))
    }

    @Test(
        "A Wycheproof file that is not wholly understood fails",
        arguments: [
            ("other number of tests", #""numberOfTests": 1"#, #""numberOfTests": 2"#),
            ("unknown schema", "eddsa_verify_schema_v1", "eddsa_verify_schema_v9"),
            ("type and schema disagree", #""type": "EddsaVerify""#, #""type": "EcdsaP1363Verify""#),
            ("unknown top member", #""header":"#, #""headers": 1, "header":"#),
            ("missing notes", #""notes": {},"#, ""),
            ("unknown group member", #""source":"#, #""sources": 1, "source":"#),
            ("unknown key member", #""keySize": 255"#, #""keysize": 255"#),
            ("unknown test member", #""tcId": 1"#, #""tcId": 1, "tcid": 1"#),
            ("missing flags", #""flags": [],"#, ""),
            ("unknown result", #""valid""#, #""perhaps""#),
            ("message that is no hexadecimal", #""msg": """#, #""msg": "0""#),
            ("no test", #""testGroups": ["#, #""testGroups": [], "x": ["#),
        ]
    )
    func wycheproofFault(what: String, original: String, spoilt: String) throws {
        let content = Samples.wycheproof.replacingOccurrences(of: original, with: spoilt)
        try #require(content != Samples.wycheproof, "\(what) spoils nothing")
        let report = try #require(try TemporaryFolder.report(content))
        #expect(report.fault != nil, "\(what)")
        #expect(report.counts == VectorCounts(failed: 1))
    }

    @Test(
        "What Wycheproof expects is compared",
        arguments: [
            (#""valid""#, #""invalid""#, VectorCounts(failed: 1)),
            (#""valid""#, #""acceptable""#, VectorCounts(failed: 1)),
            ("e5564300", "e5564301", VectorCounts(failed: 1)),
            ("d75a98", "d75a99", VectorCounts(failed: 1)),
            (#""msg": """#, #""msg": "00""#, VectorCounts(failed: 1)),
            ("edwards25519", "edwards448", VectorCounts(skipped: 1)),
        ]
    )
    func wycheproofOutcome(original: String, changed: String, counts: VectorCounts) throws {
        let content = Samples.wycheproof.replacingOccurrences(of: original, with: changed)
        let report = try #require(try TemporaryFolder.report(content))
        #expect(report.fault == nil)
        #expect(report.counts == counts)
    }

    @Test("What is only acceptable and refused is a deviation")
    func acceptable() throws {
        let content = Samples.wycheproof
            .replacingOccurrences(of: #""valid""#, with: #""acceptable""#)
            .replacingOccurrences(of: "e5564300", with: "e5564301")
        let report = try #require(try TemporaryFolder.report(content))
        #expect(report.counts == VectorCounts(deviations: 1))
    }

    @Test(
        "A response file with a line out of place fails",
        arguments: [
            ("no length of the digest", "[L = 32]", "[L = many]"),
            ("unknown line", "Len = 24", "Seed = 24"),
            ("length and message disagree", "Len = 24", "Len = 32"),
            ("message before its length", "Len = 24\n", ""),
            ("message that is no hexadecimal", "616263", "61626"),
            ("digest of another length", "MD = ba", "MD = "),
            ("block without its end", "MD = ", "# "),
            ("two lengths", "Len = 24", "Len = 24\nLen = 24"),
            ("a length that overflows", "Len = 24", "Len = 9223372036854775807"),
            ("a signed length", "Len = 24", "Len = +24"),
        ]
    )
    func responseFault(what: String, original: String, spoilt: String) throws {
        let report = try #require(
            try TemporaryFolder.report(Samples.digests.replacingOccurrences(of: original, with: spoilt), name: "x.rsp")
        )
        #expect(report.fault != nil, "\(what)")
        #expect(report.counts == VectorCounts(failed: 1))
    }

    @Test("Digests are compared, and others than those of SHA-2 here are skipped by name")
    func responseOutcome() throws {
        let wrong = Samples.digests.replacingOccurrences(of: "MD = ba", with: "MD = bb")
        #expect(try TemporaryFolder.report(wrong)?.counts == VectorCounts(failed: 1))
        let short = Samples.digests.replacingOccurrences(of: "L = 32", with: "L = 28")
            .replacingOccurrences(of: "f20015ad", with: "")
        #expect(try TemporaryFolder.report(short)?.results.map(\.outcome) == [.skipped(.hash)])
        let bits = Samples.digests.replacingOccurrences(of: "Len = 24", with: "Len = 23")
        #expect(try TemporaryFolder.report(bits)?.results.map(\.outcome) == [.skipped(.partialOctets)])
    }

    @Test(
        "A single key is judged by what it is",
        arguments: [
            (#"{"kty":"oct","k":"AAAA"}"#, VectorCounts(passed: 1)),
            (#"{"kty":"OKP","crv":"X25519","x":"AAAA"}"#, VectorCounts(skipped: 1)),
            (#"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#, VectorCounts(failed: 1)),
            (
                #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
                VectorCounts(passed: 1)
            ),
            (
                #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"AA"}"#,
                VectorCounts(passed: 1)
            ),
        ]
    )
    func key(content: String, counts: VectorCounts) throws {
        #expect(try TemporaryFolder.report(content)?.counts == counts)
    }
}
