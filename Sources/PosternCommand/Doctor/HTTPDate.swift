internal import PosternBase

/// The date of a header field (RFC 9110 §5.6.7), in the one form that is made today: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970; nil for every other form.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].utf8.count == 4, words[0].utf8.last == UInt8(ascii: ","),
            words[1].utf8.count == 2, words[3].utf8.count == 4, words[4].utf8.count == 8, words[5] == "GMT",
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        // The day of the week says nothing that the date does not.
        let number = month + 1
        return Timestamp.parse("\(words[3])-\(number < 10 ? "0" : "")\(number)-\(words[1])T\(words[4])Z")
    }
}
