internal import PosternBase

/// Takes the members of an object one by one, and refuses what nobody took.
struct ObjectReader {
    private let object: JSONValue
    private let known: [String]
    private let place: String

    /// `place` comes before a member's name in messages.
    init(_ value: JSONValue, known: [String], place: String = "") throws(IssuerProblem) {
        guard value.kind == .object else {
            let what = place.isEmpty ? "It" : String(place.dropLast())
            throw IssuerProblem(.memberInvalid, "\(what) must be an object.")
        }
        object = value
        self.known = known
        self.place = place
    }

    func isText(_ name: String) -> Bool { object[name]?.kind == .string }

    func text(_ name: String) throws(IssuerProblem) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string else { throw misfit(name, "a string") }
        return text
    }

    func flag(_ name: String) throws(IssuerProblem) -> Bool? {
        guard let value = object[name] else { return nil }
        guard let flag = value.bool else { throw misfit(name, "true or false") }
        return flag
    }

    func number(_ name: String, in range: ClosedRange<Int64>) throws(IssuerProblem) -> Int64? {
        guard let value = object[name] else { return nil }
        guard let number = value.integer, range.contains(number) else {
            throw misfit(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func array(_ name: String) throws(IssuerProblem) -> [JSONValue]? {
        guard let value = object[name] else { return nil }
        guard let elements = value.elements else { throw misfit(name, "an array") }
        return elements
    }

    func texts(_ name: String) throws(IssuerProblem) -> [String]? {
        guard let elements = try array(name) else { return nil }
        let texts = elements.compactMap(\.string)
        guard texts.count == elements.count else { throw misfit(name, "an array of strings") }
        return texts
    }

    /// The members of an object; none where it is not there.
    func members(_ name: String) throws(IssuerProblem) -> [(name: String, value: JSONValue)] {
        guard let value = object[name] else { return [] }
        guard value.kind == .object else { throw misfit(name, "an object") }
        return value.members
    }

    func missing(_ name: String) -> IssuerProblem { IssuerProblem(.memberMissing, "\(place)\(name) is missing.") }

    private func misfit(_ name: String, _ wanted: String) -> IssuerProblem {
        IssuerProblem(.memberInvalid, "\(place)\(name) must be \(wanted).")
    }

    func finish() throws(IssuerProblem) {
        guard let other = object.members.first(where: { !known.containsBytes(of: $0.name) }) else { return }
        let names = known.joined(separator: ", ")
        throw IssuerProblem(
            .memberUnknown,
            "There is no member \(place)\(Excerpt.word(other.name)); those known are \(names).")
    }
}
