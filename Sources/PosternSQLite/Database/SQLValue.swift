internal import CSQLite
internal import PosternAccounts
internal import PosternBase

/// What takes the place of a question mark. Texts go with their length, so that a zero byte within is like any other.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    static func optional(_ value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }
    static func optional(_ value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null }
    static func optional(_ value: [UInt8]?) -> SQLValue { value.map(SQLValue.bytes) ?? .null }
    static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
    static func count(_ value: Int) -> SQLValue { .integer(Int64(value)) }
    static func id<Kind>(_ id: Identifier<Kind>) -> SQLValue { .bytes(id.bytes) }
    static func optional<Kind>(_ id: Identifier<Kind>?) -> SQLValue { .optional(id?.bytes) }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .null:
            return sqlite3_bind_null(statement, index)
        case .integer(let value):
            return sqlite3_bind_int64(statement, index, value)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
                return postern_sqlite_bind_text(statement, index, bytes.baseAddress, count)
            }
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { bytes in
                guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
                return postern_sqlite_bind_blob(statement, index, bytes.baseAddress, count)
            }
        }
    }
}
