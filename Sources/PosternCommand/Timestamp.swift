internal import Glibc
internal import PosternBase

/// Seconds since 1970 as people write and read them.
enum Timestamp {
    /// What the verifier takes: no sum of such times can overflow.
    static let range: Range<Int64> = 0..<(1 << 40)

    /// Whether `text` may be a time in milliseconds since 1970, as JavaScript and Java count.
    static func looksLikeMilliseconds(_ text: String) -> Bool {
        DecimalDigits.value(of: text).map { !range.contains($0) && range.contains($0 / 1000) } ?? false
    }

    /// What `--at` says.
    static func option(_ arguments: Arguments) throws(CommandFailure) -> Int64? {
        guard let text = try arguments.text(of: .at) else { return nil }
        guard let seconds = parse(text) else {
            throw .usage(
                "--at takes seconds since 1970, or a time like 2026-09-21T14:13:20Z with its offset, not "
                    + Excerpt.word(text) + (looksLikeMilliseconds(text) ? ", which seems to be milliseconds" : "")
            )
        }
        return seconds
    }

    /// The time that `text` stands for: seconds since 1970, or a date and time of RFC 3339 with its offset, of which
    /// fractions of a second are dropped.
    static func parse(_ text: String) -> Int64? {
        let seconds = DecimalDigits.value(of: text) ?? dateAndTime(Array(text.utf8))
        return seconds.flatMap { range.contains($0) ? $0 : nil }
    }

    /// `2026-09-21T14:13:20Z`; nil for a time outside `range`.
    static func utc(_ seconds: Int64) -> String? {
        var time = time_t(seconds)
        var parts = tm()
        guard range.contains(seconds), gmtime_r(&time, &parts) != nil else { return nil }
        let date =
            "\(digits(Int(parts.tm_year) + 1900, 4))-\(digits(Int(parts.tm_mon) + 1, 2))-\(digits(Int(parts.tm_mday), 2))"
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0), 2) }.joined(separator: ":")
        return "\(date)T\(clock)Z"
    }

    /// The present time to the millisecond.
    static func utcNow() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        guard var text = utc(Int64(time.tv_sec)) else { return "" }
        text.removeLast()
        return "\(text).\(digits(time.tv_nsec / 1_000_000, 3))Z"
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    // MARK: - RFC 3339 §5.6

    private static func dateAndTime(_ text: [UInt8]) -> Int64? {
        var reader = Reader(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2, 1...12), reader.skip("-"),
            let day = reader.number(2, 1...days(in: month, of: year)), reader.skip("Tt "),
            let hour = reader.number(2, 0...23), reader.skip(":"), let minute = reader.number(2, 0...59),
            reader.skip(":"), let second = reader.number(2, 0...60), reader.skipFraction(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        var parts = tm()
        parts.tm_year = Int32(year) - 1900
        parts.tm_mon = Int32(month) - 1
        parts.tm_mday = Int32(day)
        let midnight = Int64(timegm(&parts))
        let time = midnight + Int64(hour * 3600 + minute * 60 + second) - Int64(offset)
        // A leap second ends a day of UTC; here it is the same second as the next day's first.
        return second < 60 || time % 86400 == 0 ? time : nil
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ text: [UInt8]) { rest = text[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func number(_ count: Int, _ range: ClosedRange<Int> = 0...9999) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, let number = DecimalDigits.value(of: String(decoding: digits, as: UTF8.self)),
                range.contains(Int(number))
            else { return nil }
            rest = rest.dropFirst(count)
            return Int(number)
        }

        /// Skips one character that is one of `characters`.
        mutating func skip(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// False for a point without digits after it.
        mutating func skipFraction() -> Bool {
            guard skip(".") else { return true }
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            return !digits.isEmpty
        }

        /// Seconds that the clock of the place is ahead of UTC.
        mutating func offset() -> Int? {
            if skip("Zz") { return 0 }
            let sign = rest.first == 0x2D ? -1 : 1
            guard skip("+-"), let hours = number(2, 0...23), skip(":"), let minutes = number(2, 0...59) else {
                return nil
            }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}
