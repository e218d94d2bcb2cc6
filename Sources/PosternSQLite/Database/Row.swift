internal import CSQLite
internal import PosternAccounts
internal import PosternBase

/// The row that a statement stands on, while it stands there. Nothing is believed of it: the file may have been damaged.
struct Row {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func integer(_ column: Int32) throws(StoreFault) -> Int64 {
        guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { throw damaged(column) }
        return sqlite3_column_int64(statement, column)
    }

    func optionalInteger(_ column: Int32) throws(StoreFault) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    /// Seconds since 1970. The bound is far from where sums and products with other times would overflow.
    func time(_ column: Int32) throws(StoreFault) -> Int64 { try count(column) }

    func optionalTime(_ column: Int32) throws(StoreFault) -> Int64? { isNull(column) ? nil : try time(column) }

    /// How many there are of something.
    func count(_ column: Int32) throws(StoreFault) -> Int64 {
        let number = try integer(column)
        guard (0..<1 << 53).contains(number) else { throw damaged(column) }
        return number
    }

    func flag(_ column: Int32) throws(StoreFault) -> Bool {
        switch try integer(column) {
        case 0: return false
        case 1: return true
        default: throw damaged(column)
        }
    }

    func text(_ column: Int32) throws(StoreFault) -> String {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { throw damaged(column) }
        // The text first: asking for it may change how many bytes there are.
        guard let text = sqlite3_column_text(statement, column) else { throw damaged(column) }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
        // What is no UTF-8 is repaired and differs then; to ask for validation costs several times as much.
        var decoded = String(decoding: bytes, as: UTF8.self)
        guard decoded.withUTF8({ $0.isSameBytes(as: bytes) }) else { throw damaged(column) }
        return decoded
    }

    func optionalText(_ column: Int32) throws(StoreFault) -> String? {
        isNull(column) ? nil : try text(column)
    }

    func bytes(_ column: Int32) throws(StoreFault) -> [UInt8] {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { throw damaged(column) }
        // Of no bytes there is no address either.
        guard let start = sqlite3_column_blob(statement, column) else {
            guard sqlite3_column_bytes(statement, column) == 0 else { throw damaged(column) }
            return []
        }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func id<Kind>(_ column: Int32) throws(StoreFault) -> Identifier<Kind> {
        guard let id = Identifier<Kind>(bytes: try bytes(column)) else { throw damaged(column) }
        return id
    }

    func optionalID<Kind>(_ column: Int32) throws(StoreFault) -> Identifier<Kind>? {
        isNull(column) ? nil : try id(column)
    }

    func email(_ column: Int32) throws(StoreFault) -> EmailAddress {
        guard let email = EmailAddress(stored: try text(column)) else { throw damaged(column) }
        return email
    }

    func optionalEmail(_ column: Int32) throws(StoreFault) -> EmailAddress? {
        isNull(column) ? nil : try email(column)
    }

    /// One of the words of an enumeration.
    func word<Word: RawRepresentable<String>>(_ column: Int32) throws(StoreFault) -> Word {
        guard let word = Word(rawValue: try text(column)) else { throw damaged(column) }
        return word
    }

    /// Says which column makes no sense, not what is in it.
    func damaged(_ column: Int32) -> StoreFault {
        let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "\(column)"
        return StoreFault(
            .damaged,
            "The database holds a value of \(Excerpt.quote(name)) that cannot be: run postern doctor, or restore a backup."
        )
    }
}
