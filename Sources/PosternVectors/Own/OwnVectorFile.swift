internal import PosternBase
package import PosternTokens

/// A file of our own vectors; `TestVectors/README.md` describes the format.
package struct OwnVectorFile: Sendable {
    static let format = "postern-vectors/1"

    private let cases: [OwnCase]

    /// Reads the file at `path`.
    package init(path: String) throws(VectorFault) {
        let bytes = try VectorFiles.read(path)
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes)
        } catch {
            throw VectorFault("The file is not JSON: \(error.message).")
        }
        try self.init(document.root)
    }

    init(_ root: JSONValue) throws(VectorFault) {
        let top = try Fields(root, at: "The file", required: ["format", "title", "keySets", "cases"])
        guard try top.text("format").isSameBytes(as: Self.format) else { throw top.misfit("format", Self.format) }
        _ = try top.text("title")
        let keySets = try OwnKeySets(try top.value("keySets"))
        var cases: [OwnCase] = []
        var seen: Set<[UInt8]> = []
        for (position, value) in try top.list("cases").enumerated() {
            let vector = try OwnCase(value, keySets, at: "Case \(position + 1)")
            guard seen.insert(Array(vector.id.utf8)).inserted else {
                throw VectorFault("The id \(Excerpt.quote(vector.id)) is given twice.")
            }
            cases.append(vector)
        }
        self.cases = cases
    }

    var vectorCases: [VectorCase] {
        cases.map { vector in VectorCase(id: vector.id) { vector.outcome() } }
    }

    /// What the verifier says to each case when it leaves `rule` out, judged as it is read: for the test that shows that each
    /// rule is needed.
    package func verdicts(testOnlyDisabled rules: [VerifierRule]) -> some Sequence<(id: String, verdict: String)> {
        cases.lazy.map { ($0.id, $0.finding(disabled: rules).description) }
    }
}
