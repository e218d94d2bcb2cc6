/// What a store was expected to do and did not. Thrown rather than recorded, so that tests can see that a bad store is found.
package struct Unmet: Error, CustomStringConvertible {
    package let description: String

    package init(_ message: String, fileID: String = #fileID, line: Int = #line) {
        description = "\(message) (\(fileID):\(line))"
    }
}

func expect(
    _ isMet: Bool,
    _ message: @autoclosure () -> String,
    fileID: String = #fileID,
    line: Int = #line
) throws(Unmet) {
    if !isMet { throw Unmet(message(), fileID: fileID, line: line) }
}

/// Compares lines, and says which are missing and which are too many.
func expectSame(
    _ found: [String],
    _ wanted: [String],
    _ message: @autoclosure () -> String,
    fileID: String = #fileID,
    line: Int = #line
) throws(Unmet) {
    guard found != wanted else { return }
    let missing = wanted.filter { !found.contains($0) }
    let extra = found.filter { !wanted.contains($0) }
    let difference =
        missing.isEmpty && extra.isEmpty
        ? "other order or count: \(found)" : "missing: \(missing), not expected: \(extra)"
    throw Unmet("\(message()): \(difference)", fileID: fileID, line: line)
}
