internal import PosternBase

/// Runs vector files.
package enum VectorRunner {
    /// Runs the files at `paths`, folders with all that is in them. `progress` hears of each file as it is done.
    package static func run(
        paths: [String],
        progress: (VectorFileReport) -> Void = { _ in }
    ) -> VectorReport {
        var files = VectorFiles()
        for path in paths { files.add(path) }
        var seen = SeenIdentifiers()
        let reports = files.found.map { found in
            let report =
                switch found {
                case .file(let path): run(path, &seen)
                case .nothing(let path, let why):
                    VectorFileReport(path: path, format: nil, fault: "There is no file to run: \(why).", results: [])
                }
            progress(report)
            return report
        }
        return VectorReport(files: reports)
    }

    private static func run(_ path: String, _ seen: inout SeenIdentifiers) -> VectorFileReport {
        var format: VectorFormat?
        do throws(VectorFault) {
            let file = try VectorFile(try VectorFiles.read(path))
            format = file.format
            let cases = try file.cases()
            guard !cases.isEmpty else { throw VectorFault("The file holds no case.") }
            // Ids of our own cases are unique over all files; those of outside files within one.
            if file.format == .own { try seen.note(cases, path) }
            let results = cases.map { VectorResult(id: $0.id, outcome: $0.run()) }
            return VectorFileReport(path: path, format: file.format.name, fault: nil, results: results)
        } catch {
            return VectorFileReport(path: path, format: format?.name, fault: error.message, results: [])
        }
    }
}

/// The ids of our own cases so far, as bytes: two spellings of one text are two ids.
private struct SeenIdentifiers {
    private var files: [[UInt8]: String] = [:]

    mutating func note(_ cases: [VectorCase], _ path: String) throws(VectorFault) {
        for vector in cases {
            if let other = files.updateValue(path, forKey: Array(vector.id.utf8)) {
                throw VectorFault(
                    "The id \(Excerpt.quote(vector.id)) stands in \(Excerpt.plain(other)) too: ids are unique over all files."
                )
            }
        }
    }
}
