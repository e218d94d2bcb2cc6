internal import Glibc

/// Whose database a file is by its first bytes (SQLite's "Database File Format" §1.3).
enum DatabaseHead {
    case ours
    case anotherProgram
    /// No database.
    case other
    /// A file of no bytes.
    case empty

    private static let count = 100
    private static let start = Array("SQLite format 3\0".utf8)
    private static let applicationPlace = 68

    /// nil when it cannot be read, which `errno` says more about.
    init?(of descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: Self.count)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { return nil }
        guard count > 0 else {
            self = .empty
            return
        }
        guard count == bytes.count, bytes.starts(with: Self.start) else {
            self = .other
            return
        }
        let application = bytes[Self.applicationPlace...].prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        self = application == Database.applicationID ? .ours : .anotherProgram
    }
}
