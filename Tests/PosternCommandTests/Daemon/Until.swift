import Glibc
import Testing

/// Waits until it holds. What does not within two minutes fails the test, which goes on.
func until(_ holds: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    for _ in 0..<120_000 {
        if holds() { return }
        usleep(1_000)
    }
    Issue.record("it never holds", sourceLocation: sourceLocation)
}
