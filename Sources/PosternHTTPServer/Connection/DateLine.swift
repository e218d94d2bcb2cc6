internal import Glibc

/// The line `Date: …` (RFC 9110 §6.6.1), written anew once a second.
struct DateLine {
    private var second = Int.min
    private var bytes: [UInt8] = []

    /// The line of this moment.
    mutating func current() -> [UInt8] {
        let now = time(nil)
        if now != second {
            second = now
            bytes = Array("Date: \(DateLine.text(now))\r\n".utf8)
        }
        return bytes
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, whatever the locale.
    static func text(_ second: Int) -> String {
        var (moment, parts) = (second, tm())
        guard gmtime_r(&moment, &parts) != nil else { return "Thu, 01 Jan 1970 00:00:00 GMT" }
        let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let (day, month) = (days[Int(parts.tm_wday) % 7], months[Int(parts.tm_mon) % 12])
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(day), \(two(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(clock) GMT"
    }
}
