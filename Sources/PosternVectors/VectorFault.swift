/// Why a file cannot be run as vectors; a file with a fault never counts as passed.
package struct VectorFault: Error, Equatable {
    package let message: String

    init(_ message: String) { self.message = message }
}
