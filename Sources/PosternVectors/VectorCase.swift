/// One case of a file, read completely and ready to run.
struct VectorCase {
    let id: String
    let run: () -> VectorOutcome
}

/// What became of one case.
package enum VectorOutcome: Sendable, Equatable {
    case passed
    case failed(expected: String, got: String)
    /// Postern does not do what the case needs.
    case skipped(SkipRule)
    /// Postern differs from the file on purpose; the text says why.
    case deviation(String)
}

package struct VectorResult: Sendable, Equatable {
    package let id: String
    package let outcome: VectorOutcome
}
