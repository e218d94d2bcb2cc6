internal import PosternBase

/// The file with the settings of the daemon: JSON with comments and commas at the end (`Docs/Settings.md`).
enum SettingsFile {
    static let maximumSize = 1 << 20

    static func read(_ path: [UInt8]) throws(CommandFailure) -> ServeSettings {
        let name = "the settings file \(RawArguments.quote(path))"
        let bytes = try InputFile.contents(of: path, named: name, upTo: maximumSize + 1)
        guard bytes.count <= maximumSize else { throw .trouble("\(name) is larger than \(maximumSize) bytes") }
        return try parse(bytes, file: Excerpt.plain(String(decoding: path, as: UTF8.self)))
    }

    static func parse(_ bytes: [UInt8], file: String) throws(CommandFailure) -> ServeSettings {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(settings: bytes).root
        } catch {
            throw .trouble("\(file):\(error.line):\(error.column): \(error.reason.rawValue)")
        }
        return try ServeSettings(SettingsObject(root, file: file))
    }
}
