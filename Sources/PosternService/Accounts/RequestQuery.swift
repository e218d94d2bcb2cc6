internal import PosternAccounts
internal import PosternBase
internal import PosternHTTP

/// What stands behind the question mark, read strictly: a form whose names are known, each there once.
struct RequestQuery {
    private let fields: [(name: String, value: String)]

    init(_ route: Route, _ query: String?) throws(Problem) {
        guard let query else {
            fields = []
            return
        }
        guard !route.query.isEmpty else {
            throw Problem(.queryUnexpected, "Nothing is known that could stand behind a question mark here.")
        }
        let parts = query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        guard let form = FormFields(Array(query.utf8)), !parts.contains(where: \.isEmpty) else {
            throw Problem(
                .queryInvalid, "What stands behind the question mark is no form in UTF-8 (name=value&name=value).")
        }
        let names = route.query.joined(separator: ", ")
        guard form.all.allSatisfy({ route.query.containsBytes(of: $0.name) }) else {
            throw Problem(.queryUnexpected, "Behind the question mark there may be \(names), and nothing else.")
        }
        if let name = form.repeated(among: route.query) {
            throw Problem(.queryUnexpected, "\(name) stands twice behind the question mark.")
        }
        fields = form.all
    }

    func text(_ name: String) -> String? { fields.first { $0.name.isSameBytes(as: name) }?.value }

    /// The name of an account or a session.
    func identifier<Kind>(_ name: String) throws(Problem) -> Identifier<Kind>? {
        guard let text = text(name) else { return nil }
        guard let id = Identifier<Kind>(text) else {
            throw Problem(.queryInvalid, "\(name) must be a UUID, not \(Excerpt.word(text)).")
        }
        return id
    }

    /// A whole number within `range`.
    func number(_ name: String, _ range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let number = DecimalDigits.value(of: text), range.contains(number) else {
            let words = "\(range.lowerBound) to \(range.upperBound)"
            throw Problem(.queryInvalid, "\(name) must be a number from \(words), not \(Excerpt.word(text)).")
        }
        return number
    }

    func missing(_ name: String) -> Problem {
        Problem(.queryInvalid, "\(name) is missing behind the question mark.")
    }
}
