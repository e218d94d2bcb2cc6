/// An answer as it came, read by a reader that shares nothing with the server.
struct Answer: Equatable {
    var status: Int
    /// Names in lower case.
    var fields: [String: String]
    var body: String

    /// Whether the server ends the connection after it.
    var closes: Bool { fields["connection"] == "close" }

    /// The first whole answer and what comes after it; nil when there is none yet.
    static func first(in bytes: [UInt8], isHead: Bool = false) -> (answer: Answer, rest: [UInt8])? {
        guard let end = endOfHead(bytes) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let hasBody = !isHead && status >= 200 && status != 204 && status != 304
        let length = hasBody ? Int(fields["content-length"] ?? "") ?? 0 : 0
        guard bytes.count >= end + length else { return nil }
        let body = String(decoding: bytes[end..<(end + length)], as: UTF8.self)
        return (Answer(status: status, fields: fields, body: body), Array(bytes[(end + length)...]))
    }

    /// All answers; nil when something is left over that is none.
    static func all(in bytes: [UInt8], isHead: Bool = false) -> [Answer]? {
        var answers: [Answer] = []
        var rest = bytes
        while !rest.isEmpty {
            guard let (answer, after) = first(in: rest, isHead: isHead) else { return nil }
            answers.append(answer)
            rest = after
        }
        return answers
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for place in 0...(bytes.count - 4)
        where bytes[place] == 13 && bytes[place + 1] == 10 && bytes[place + 2] == 13 && bytes[place + 3] == 10 {
            return place + 4
        }
        return nil
    }
}
