/// An option of a command. getopt's table and the help are both made from these, so neither can drift from the other.
struct Option: Sendable {
    let name: String
    /// The word for its value in the help; nil when it takes none.
    let value: String?
    let isRepeatable: Bool
    let meaning: String

    init(_ name: String, takes value: String? = nil, isRepeatable: Bool = false, _ meaning: String) {
        self.name = name
        self.value = value
        self.isRepeatable = isRepeatable
        self.meaning = meaning
    }

    static let help = Option("help", "show this help and exit")
    static let version = Option("version", "show the version and exit")
    static let format = Option(
        "format",
        takes: "FORMAT",
        "text for people (the default) or json for programs, on standard output"
    )
}
