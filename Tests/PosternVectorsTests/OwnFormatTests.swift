import Foundation
import PosternVectors
import Testing

@Suite("Our own format")
struct OwnFormatTests {
    @Test("The sample passes, so each fault below comes from what was spoilt")
    func sample() throws {
        let report = try #require(try TemporaryFolder.report(Samples.own))
        #expect(report.fault == nil)
        #expect(report.counts == VectorCounts(passed: 2))
        #expect(report.results.map(\.id) == ["sample-token", "sample-set"])
    }

    @Test(
        "A file that is not wholly understood fails",
        arguments: [
            ("unknown top member", #""title":"#, #""extra": 1, "title":"#),
            ("missing title", #""title": "A sample","#, ""),
            ("title of another type", #""A sample""#, "1"),
            ("missing key sets", #""keySets":"#, #""keysets":"#),
            ("key sets of another type", #"{"none": {"keys": []}, "text": "{"}"#, "[]"),
            ("key set of another type", #""text": "{""#, #""text": 1"#),
            ("other version", "postern-vectors/1", "postern-vectors/2"),
            ("unknown case member", #""attacks": [1]"#, #""attack": [1]"#),
            ("unknown case member in another case", #""at":"#, #""At":"#),
            ("missing id", #""id": "sample-token","#, ""),
            ("empty id", #""id": "sample-token","#, #""id": "","#),
            ("missing rule", #""rule": "a token has three segments","#, ""),
            ("attacks that are no numbers", "[1]", #"["1"]"#),
            ("missing provider", #""provider": {"name": "apple", "audiences": ["com.example.app"]},"#, ""),
            ("unknown provider", #""name": "apple""#, #""name": "pear""#),
            ("unknown provider member", #""name": "apple","#, #""name": "apple", "tenant": "common","#),
            ("missing audiences", #", "audiences": ["com.example.app"]"#, ""),
            ("leeway of another type", #""name": "apple","#, #""name": "apple", "leeway": "60","#),
            ("age of another type", #""name": "apple","#, #""name": "apple", "maximumAge": "600","#),
            ("missing keys", #""keys": "none","#, ""),
            ("unknown key set", #""keys": "none""#, #""keys": "nobody""#),
            ("no token", #""token": "a.b","#, ""),
            ("two tokens", #""token": "a.b","#, #""token": "a.b", "tokenHex": "612e62","#),
            ("token that is no hexadecimal", #""token": "a.b""#, #""tokenHex": "6""#),
            ("too much of a token", #""token": "a.b""#, #""tokenRepeat": {"text": ".", "count": 1000000000000}"#),
            ("negative repetition", #""token": "a.b""#, #""tokenRepeat": {"text": ".", "count": -1}"#),
            ("missing nonce", #""nonce": {"rule": "hashed", "value": "raw"},"#, ""),
            ("unknown nonce rule", #""rule": "hashed""#, #""rule": "issued""#),
            ("unknown nonce member", #""rule": "hashed","#, #""rule": "hashed", "raw": "raw","#),
            ("rule for a stranger", #""nonce":"#, #""audienceNonceRules": {"com.example.web": "plain"}, "nonce":"#),
            ("notification with a nonce", #""nonce":"#, #""notification": true, "nonce":"#),
            ("missing time", #""at": 1790000000,"#, ""),
            ("time of another type", "1790000000", #""1790000000""#),
            ("time with a fraction", "1790000000", "1790000000.5"),
            ("missing expectation", #""expect": {"verdict": "refused", "code": "token_malformed"}"#, #""narrow": "x""#),
            ("unknown verdict", #""verdict": "refused""#, #""verdict": "maybe""#),
            ("unknown code", "token_malformed", "token_misformed"),
            ("missing code", #", "code": "token_malformed""#, ""),
            ("refusal with values", #""code":"#, #""subject": "x", "code":"#),
            ("unknown fault", #""refused", "code": "token_malformed""#, #""fault", "code": "token_malformed""#),
            ("acceptance with a code", #""verdict": "refused""#, #""verdict": "accepted""#),
            ("unknown value", #""refused", "code": "token_malformed""#, #""accepted", "name": "x""#),
            (
                "value of another type", #""refused", "code": "token_malformed""#,
                #""accepted", "emailVerified": "true""#
            ),
            ("event of an identity", #""refused", "code": "token_malformed""#, #""accepted", "events": "x""#),
            ("key set and token", #""keySet": "none","#, #""keySet": "none", "token": "a.b","#),
            ("unknown set", #""keySet": "none""#, #""keySet": "nobody""#),
            ("unknown reason", #""skipped": {}"#, #""skipped": {"ugly": 1}"#),
            ("count of none", #""skipped": {}"#, #""skipped": {"weak": 0}"#),
            ("missing skips", #", "skipped": {}"#, ""),
            ("not malformed", #"{"usable": 0, "skipped": {}}"#, #"{"malformed": false}"#),
            ("malformed and usable", #"{"usable": 0, "skipped": {}}"#, #"{"malformed": true, "usable": 0}"#),
            ("the same id twice", "sample-set", "sample-token"),
            ("a member twice", #""at":"#, #""at": 1, "at":"#),
            ("truncated", "]\n}", ""),
        ]
    )
    func fault(what: String, original: String, spoilt: String) throws {
        let content = Samples.own.replacingOccurrences(of: original, with: spoilt)
        try #require(content != Samples.own, "\(what) spoils nothing")
        let report = try #require(try TemporaryFolder.report(content))
        #expect(report.fault != nil, "\(what)")
        #expect(report.results.isEmpty)
        #expect(report.counts == VectorCounts(failed: 1))
    }

    @Test(
        "An expectation that is not met is a failure of its case alone",
        arguments: [
            ("token_malformed", "header_invalid", "refused token_malformed"),
            (#""refused", "code": "token_malformed""#, #""accepted""#, "refused token_malformed"),
            (#""usable": 0"#, #""usable": 1"#, "0 usable"),
            (#"{"usable": 0, "skipped": {}}"#, #"{"malformed": true}"#, "0 usable"),
            (#""keySet": "none""#, #""keySet": "text""#, "malformed"),
            (#""name": "apple","#, #""name": "apple", "maximumAge": 0,"#, "no answer"),
            (#""name": "apple","#, #""name": "apple", "leeway": 301,"#, "no answer"),
        ]
    )
    func failure(original: String, changed: String, got: String) throws {
        let content = Samples.own.replacingOccurrences(of: original, with: changed)
        let report = try #require(try TemporaryFolder.report(content))
        #expect(report.fault == nil)
        #expect(report.counts == VectorCounts(passed: 1, failed: 1))
        let failures = report.results.compactMap { result in
            if case .failed(_, let got) = result.outcome { got } else { nil }
        }
        #expect(failures.count == 1 && failures[0].hasPrefix(got), "\(failures)")
    }

    @Test("Ids are unique over all files")
    func idsAcrossFiles() throws {
        let folder = try TemporaryFolder()
        try folder.file("a.json", Samples.own)
        try folder.file("b.json", Samples.own)
        let report = VectorRunner.run(paths: [folder.url.path])
        #expect(report.files.map { $0.fault == nil } == [true, false])
        #expect(report.counts == VectorCounts(passed: 2, failed: 1))
    }

    @Test("Two spellings of one text are two ids")
    func idsAreBytes() throws {
        let content = Samples.own
            .replacingOccurrences(of: "sample-token", with: "caf\u{E9}")
            .replacingOccurrences(of: "sample-set", with: "cafe\u{301}")
        let report = try #require(try TemporaryFolder.report(content))
        #expect(report.counts == VectorCounts(passed: 2))
    }
}
