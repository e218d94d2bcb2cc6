internal import PosternBase

/// The options and operands that a command was given.
struct Arguments {
    private let values: [String: [[UInt8]]]
    let operands: [[UInt8]]

    init(values: [String: [[UInt8]]], operands: [[UInt8]]) {
        self.values = values
        self.operands = operands
    }

    func isGiven(_ option: Option) -> Bool { values[option.name] != nil }

    /// The value as it stands, for file names.
    func bytes(of option: Option) -> [UInt8]? { values[option.name]?.first }

    func text(of option: Option) throws(CommandFailure) -> String? { try texts(of: option).first }

    func texts(of option: Option) throws(CommandFailure) -> [String] {
        var texts: [String] = []
        for value in values[option.name] ?? [] { texts.append(try Self.text(value, "the value of --\(option.name)")) }
        return texts
    }

    func text(ofOperand index: Int, called name: String) throws(CommandFailure) -> String {
        try Self.text(operands.indices.contains(index) ? operands[index] : [], name)
    }

    private static func text(_ bytes: [UInt8], _ what: String) throws(CommandFailure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .usage("\(what) is not UTF-8") }
        return text
    }

    /// A number of seconds: decimal digits and nothing else.
    func seconds(of option: Option) throws(CommandFailure) -> Int64? {
        guard let text = try text(of: option) else { return nil }
        guard let number = DecimalDigits.value(of: text) else {
            throw .usage("--\(option.name) takes a number of seconds, not \(Excerpt.word(text))")
        }
        return number
    }

    func format() throws(CommandFailure) -> Answer.Format {
        guard let text = try text(of: .format) else { return .text }
        guard let format = Answer.Format.allCases.first(where: { $0.rawValue.isSameBytes(as: text) }) else {
            throw .usage("--format takes text or json, not \(Excerpt.word(text))")
        }
        return format
    }
}
