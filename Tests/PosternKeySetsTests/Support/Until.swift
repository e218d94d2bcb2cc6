import Testing

/// Lets others run until `condition` holds; the bound only keeps a broken test from hanging.
func until(
    _ condition: @Sendable () -> Bool,
    _ what: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(240)
    while !condition() {
        guard clock.now < end else {
            Issue.record(what ?? "the condition did not come true", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}
