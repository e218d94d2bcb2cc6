package import Foundation

/// Where tests find files that are not in the bundle.
package enum TestPaths {
    /// The package's own folder.
    package static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package static let vectors = package.appending(path: "TestVectors")

    /// The folder of outside vectors, when one is given; the tests that need it are skipped without.
    package static let extraVectors = ProcessInfo.processInfo.environment["POSTERN_EXTRA_VECTORS"]
        .flatMap { $0.isEmpty ? nil : URL(filePath: $0) }

    package static var hasExtraVectors: Bool { extraVectors != nil }

    /// The bytes of an outside vector file.
    package static func extra(_ path: String) throws -> Data {
        guard let extraVectors else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: extraVectors.appending(path: path))
    }
}
