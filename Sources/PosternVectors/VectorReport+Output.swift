package import PosternBase

extension VectorReport {
    /// For people: a line for each file with what is to be said of it below, and the totals at the end.
    package func text() -> String {
        let counts = counts
        var lines = files.flatMap(\.lines)
        lines.append(counts.deviations == 1 ? "1 deviation" : "\(counts.deviations) deviations")
        lines.append(counts.line)
        return lines.joined(separator: "\n") + "\n"
    }

    package var json: JSONOutput {
        .object(counts.members + [("files", .array(files.map(\.json)))])
    }
}

extension VectorFileReport {
    /// The line of the file and those below it.
    package var lines: [String] {
        let name = Excerpt.plain(path, maximumCount: 4096)
        if let fault { return ["\(name): FAILED: \(fault)"] }
        let counts = counts
        let deviations = counts.deviations == 1 ? "1 deviation" : "\(counts.deviations) deviations"
        var lines = ["\(name): \(counts.line), \(deviations) (\(format ?? "unknown format"))"]
        for skip in skips { lines.append("  skipped \(skip.count), \(skip.rule.rawValue): \(skip.rule.meaning)") }
        for result in results {
            switch result.outcome {
            case .failed(let expected, let got):
                lines.append("  FAILED \(Excerpt.plain(result.id)): expected \(expected), got \(got)")
            case .deviation(let reason):
                lines.append("  deviation \(Excerpt.plain(result.id)): \(reason)")
            case .passed, .skipped:
                break
            }
        }
        return lines
    }

    fileprivate var json: JSONOutput {
        var failures: [JSONOutput] = []
        var deviations: [JSONOutput] = []
        for result in results {
            switch result.outcome {
            case .failed(let expected, let got):
                failures.append(
                    .object([("id", .string(result.id)), ("expected", .string(expected)), ("got", .string(got))])
                )
            case .deviation(let reason):
                deviations.append(.object([("id", .string(result.id)), ("reason", .string(reason))]))
            case .passed, .skipped:
                break
            }
        }
        let skips = skips.map { ($0.rule.rawValue, JSONOutput.integer(Int64($0.count))) }
        return .object(
            [("path", .string(path)), ("format", .optional(format)), ("fault", .optional(fault))] + counts.members + [
                ("failures", .array(failures)), ("skips", .object(skips)), ("listed_deviations", .array(deviations)),
            ]
        )
    }
}

extension VectorCounts {
    fileprivate var line: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }

    fileprivate var members: [(String, JSONOutput)] {
        [
            ("passed", .integer(Int64(passed))), ("failed", .integer(Int64(failed))),
            ("skipped", .integer(Int64(skipped))), ("deviations", .integer(Int64(deviations))),
        ]
    }
}
