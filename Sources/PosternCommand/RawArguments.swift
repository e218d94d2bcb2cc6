internal import PosternBase

/// The command line as bytes: Swift's own `CommandLine.arguments` repairs what is not UTF-8, and a repaired token is
/// another token.
enum RawArguments {
    /// All arguments of the process but its name.
    static func ofProcess() -> [[UInt8]] {
        let arguments = CommandLine.unsafeArgv
        var index = 1
        var result: [[UInt8]] = []
        while index < Int(CommandLine.argc), let argument = arguments[index] {
            result.append(bytes(of: argument))
            index += 1
        }
        return result
    }

    static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        var count = 0
        while text[count] != 0 { count += 1 }
        return (0..<count).map { UInt8(bitPattern: text[$0]) }
    }

    /// Whether `text` may be a token, which must not be repeated. Every compact JWS begins with the base64url of `{"`.
    static func looksLikeToken(_ text: [UInt8]) -> Bool { text.starts(with: "eyJ".utf8) && text.count > 40 }

    /// An argument for a message.
    static func quote(_ argument: [UInt8]) -> String {
        "'\(Excerpt.plain(String(decoding: argument, as: UTF8.self)))'"
    }
}
