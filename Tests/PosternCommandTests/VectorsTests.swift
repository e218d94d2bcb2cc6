import Foundation
import Testing

@Suite struct VectorsTests {
    @Test func whatIsNoVectorFileFails() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(#"{"a":"\u001b[2J"}"#.utf8), called: "a.json")
        for path in [file.path, folder.url.path, "/nonexistent"] {
            let text = try Invocation.run(["vectors", path])
            #expect(text.status == 1)
            #expect(text.text.hasSuffix("0 passed, 1 failed, 0 skipped\n"), "\(text.text)")
            #expect(text.complaint.isEmpty, "progress is for terminals")
            let json = try Invocation.run(["vectors", "--format", "json", path])
            #expect(json.status == 1)
            #expect(try json.json()["failed"] as? Int == 1)
        }
    }

    @Test func aVectorFile() throws {
        let folder = try TemporaryFolder()
        let good = #"""
            {"format":"postern-vectors/1","title":"One","keySets":{"none":{"keys":[]}},"cases":[
              {"id":"one","rule":"an empty set has no key","keySet":"none","expect":{"usable":0,"skipped":{}}}]}
            """#
        let bad = good.replacingOccurrences(of: #""usable":0"#, with: #""usable":1"#)
        for (text, status, total) in [
            (good, Int32(0), "1 passed, 0 failed, 0 skipped"), (bad, 1, "0 passed, 1 failed, 0 skipped"),
        ] {
            let file = try folder.file(containing: Data(text.utf8), called: "vectors.json")
            let answer = try Invocation.run(["vectors", file.path])
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.text.split(separator: "\n").last.map(String.init) == total)
        }
    }
}
