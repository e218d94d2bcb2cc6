internal import PosternBase

/// The parts between dollar signs of a stored password, read so narrowly that no two texts have the same parts.
struct HashFields {
    /// What stands first, with the dollar sign before it where there is one.
    let name: String
    /// What follows the name.
    let parts: [Substring]

    init(_ text: String) {
        var parts = text.split(separator: "$", omittingEmptySubsequences: false)
        let first = parts.removeFirst()
        if first.isEmpty, !parts.isEmpty {
            name = "$\(parts.removeFirst())"
        } else {
            name = String(first)
        }
        self.parts = parts
    }

    func expect(_ count: Int) throws(StoredHashFault) {
        guard parts.count == count else { throw .malformed("\(parts.count) parts after its name instead of \(count)") }
    }

    /// `a=1,b=2` with just these names in this order.
    func values(_ part: Int, _ names: [String]) throws(StoredHashFault) -> [Substring] {
        let pairs = parts[part].split(separator: ",", omittingEmptySubsequences: false)
        guard pairs.count == names.count else {
            throw .malformed("other parameters than \(names.joined(separator: ", "))")
        }
        var values: [Substring] = []
        for (pair, name) in zip(pairs, names) {
            guard pair.hasPrefix("\(name)=") else { throw .malformed("no parameter \(name) where it should be") }
            values.append(pair.dropFirst(name.utf8.count + 1))
        }
        return values
    }

    /// A number of at most ten digits without a zero in front.
    static func number(_ text: Substring, _ what: String) throws(StoredHashFault) -> Int {
        guard text.utf8.count <= 10, text == "0" || text.utf8.first != UInt8(ascii: "0"),
            let value = DecimalDigits.value(of: text), let number = Int(exactly: value)
        else { throw .malformed("\(what) is not a number of at most ten digits") }
        return number
    }

    static func number(_ text: Substring, _ what: String, in range: ClosedRange<Int>) throws(StoredHashFault) -> Int {
        let value = try number(text, what)
        guard value >= range.lowerBound else { throw .malformed("\(what) is below \(range.lowerBound)") }
        guard value <= range.upperBound else { throw .tooCostly("\(what) is above \(range.upperBound)") }
        return value
    }

    static func bytes(
        _ text: Substring,
        _ what: String,
        _ padding: Base64.Padding = .absent,
        count: ClosedRange<Int>
    ) throws(StoredHashFault) -> [UInt8] {
        guard let bytes = Base64.decode(text, padding: padding) else { throw .malformed("\(what) is not base64") }
        guard count.contains(bytes.count) else {
            throw .malformed("\(what) has not \(count.lowerBound) to \(count.upperBound) bytes")
        }
        return bytes
    }
}
