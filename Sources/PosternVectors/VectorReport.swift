/// What a run of vector files has shown.
package struct VectorReport: Sendable {
    /// In the order in which they were run.
    package let files: [VectorFileReport]

    package var counts: VectorCounts { files.reduce(into: VectorCounts()) { $0.add($1.counts) } }

    /// Whether anything failed; a run of nothing is a failure.
    package var hasFailures: Bool { files.isEmpty || counts.failed > 0 }
}

/// One file, or one path at which there was no file to run.
package struct VectorFileReport: Sendable {
    package let path: String
    /// nil when it was not recognised.
    package let format: String?
    /// Why the file could not be run at all; it then has no results.
    package let fault: String?
    package let results: [VectorResult]

    /// A file that could not be run counts as one failure.
    package var counts: VectorCounts {
        var counts = VectorCounts()
        if fault != nil { counts.failed += 1 }
        for result in results { counts.add(result.outcome) }
        return counts
    }

    /// How many cases each rule skipped, in the order of the rules.
    package var skips: [(rule: SkipRule, count: Int)] {
        SkipRule.allCases.compactMap { rule in
            let count = results.count { $0.outcome == .skipped(rule) }
            return count > 0 ? (rule, count) : nil
        }
    }
}

package struct VectorCounts: Sendable, Equatable {
    package var passed = 0
    package var failed = 0
    package var skipped = 0
    package var deviations = 0

    package init(passed: Int = 0, failed: Int = 0, skipped: Int = 0, deviations: Int = 0) {
        self.passed = passed
        self.failed = failed
        self.skipped = skipped
        self.deviations = deviations
    }

    package var total: Int { passed + failed + skipped + deviations }

    mutating func add(_ outcome: VectorOutcome) {
        switch outcome {
        case .passed: passed += 1
        case .failed: failed += 1
        case .skipped: skipped += 1
        case .deviation: deviations += 1
        }
    }

    mutating func add(_ other: VectorCounts) {
        passed += other.passed
        failed += other.failed
        skipped += other.skipped
        deviations += other.deviations
    }
}
