import Foundation
import PosternBase
import PosternVectors
import Testing

@Suite("Running files")
struct VectorRunnerTests {
    @Test(
        "What is no vector file fails",
        arguments: [
            ("empty", ""), ("white space", " \n"), ("not JSON", "hello"), ("an array", "[]"), ("a string", #""x""#),
            ("an empty object", "{}"), ("a key set", #"{"keys":[]}"#), ("other JSON", #"{"vectors":[],"note":"x"}"#),
            ("truncated", #"{"format":"postern-vectors/1","#), ("byte-order mark", "\u{FEFF}" + Samples.own),
            ("no case", #"{"format":"postern-vectors/1","title":"x","keySets":{},"cases":[]}"#),
            ("format of another type", #"{"format":1,"title":"x","keySets":{},"cases":[]}"#),
        ]
    )
    func unknown(what: String, content: String) throws {
        let report = try #require(try TemporaryFolder.report(content))
        #expect(report.fault != nil, "\(what)")
        #expect(report.counts == VectorCounts(failed: 1))
    }

    @Test("A path without a file, an empty folder and a pipe fail")
    func missing() throws {
        let folder = try TemporaryFolder()
        try folder.file("notes/readme.txt", "no vectors")
        let pipe = folder.url.appending(path: "pipe.json").path
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [folder.url.appending(path: "none.json").path, folder.url.appending(path: "notes").path, pipe] {
            let report = VectorRunner.run(paths: [path])
            #expect(report.counts == VectorCounts(failed: 1))
            #expect(report.hasFailures)
        }
    }

    @Test("A run of nothing is a failure")
    func nothing() {
        #expect(VectorRunner.run(paths: []).hasFailures)
    }

    @Test("Folders are run with what is in them, in order, and no file twice")
    func folders() throws {
        let folder = try TemporaryFolder()
        let last = try folder.file("z.rsp", Samples.digests)
        try folder.file("b/c.json", Samples.wycheproof)
        try folder.file("a.json", Samples.own)
        try folder.file("a.txt", "not looked at")
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "loop"), withDestinationURL: folder.url)
        var heard: [String] = []
        let report = VectorRunner.run(paths: [folder.url.path, last]) { heard.append($0.path) }
        let names = report.files.map { $0.path.dropFirst(folder.url.path.count + 1) }
        #expect(names == ["a.json", "b/c.json", "z.rsp"])
        #expect(heard == report.files.map(\.path))
        #expect(report.counts == VectorCounts(passed: 4))
        #expect(!report.hasFailures)
    }

    @Test("A file is known by its content, whatever its name")
    func named() throws {
        #expect(try TemporaryFolder.report(Samples.own, name: "vectors.txt")?.counts == VectorCounts(passed: 2))
        #expect(try TemporaryFolder.report(Samples.digests, name: "x.json")?.counts == VectorCounts(passed: 1))
    }
}

@Suite("The report")
struct VectorReportTests {
    private func report() throws -> (VectorReport, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        try folder.file("a.json", Samples.own.replacingOccurrences(of: "token_malformed", with: "header_invalid"))
        try folder.file("b.json", Samples.wycheproof.replacingOccurrences(of: "edwards25519", with: "edwards448"))
        try folder.file("c.json", "{}")
        return (VectorRunner.run(paths: [folder.url.path]), folder)
    }

    @Test("Text names each failure and skip, and ends with the totals")
    func text() throws {
        let (report, folder) = try report()
        let lines = report.text().split(separator: "\n").map {
            String($0).replacingOccurrences(of: folder.url.path + "/", with: "")
        }
        #expect(
            lines == [
                "a.json: 1 passed, 1 failed, 0 skipped, 0 deviations (postern-vectors/1)",
                "  FAILED sample-token: expected refused header_invalid, got refused token_malformed",
                "b.json: 0 passed, 0 failed, 1 skipped, 0 deviations (Wycheproof)",
                "  skipped 1, curve: uses a curve other than P-256, P-384, P-521 and Ed25519",
                "c.json: FAILED: Unknown format: Docs/Vectors.md lists those that can be read.",
                "0 deviations",
                "1 passed, 2 failed, 1 skipped",
            ]
        )
    }

    @Test("JSON says the same")
    func json() throws {
        let (report, _) = try report()
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(report.json.text().utf8)) as? [String: Any]
        )
        #expect(object["passed"] as? Int == 1)
        #expect(object["failed"] as? Int == 2)
        #expect(object["skipped"] as? Int == 1)
        #expect(object["deviations"] as? Int == 0)
        let files = try #require(object["files"] as? [[String: Any]])
        #expect(files.map { $0["format"] as? String } == ["postern-vectors/1", "Wycheproof", nil])
        #expect((files[0]["failures"] as? [[String: String]])?.first?["id"] == "sample-token")
        #expect(files[1]["skips"] as? [String: Int] == ["curve": 1])
        #expect(files[2]["fault"] is String)
    }

    @Test("A text from a file cannot steer the terminal")
    func terminal() throws {
        let content = Samples.own
            .replacingOccurrences(of: "sample-token", with: #"\u001b[2J"#)
            .replacingOccurrences(of: "token_malformed", with: "header_invalid")
        let folder = try TemporaryFolder()
        let text = VectorRunner.run(paths: [try folder.file("a.json", content)]).text()
        #expect(!text.unicodeScalars.contains { $0.value == 0x1B })
    }
}
