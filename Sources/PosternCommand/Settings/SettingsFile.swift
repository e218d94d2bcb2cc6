internal import Glibc
internal import PosternBase

/// The file with the settings of the daemon: JSON with comments and commas at the end (`Docs/Settings.md`).
enum SettingsFile {
    static let maximumSize = 1 << 20

    /// An object without members.
    static let empty = (try? JSONDocument("{}"))?.root

    /// The object that the file holds.
    static func read(_ path: [UInt8]) throws(CommandFailure) -> (root: JSONValue, source: SettingsSource) {
        let name = "the settings file \(RawArguments.quote(path))"
        let (bytes, status) = try InputFile.contentsAndStatus(of: path, named: name, upTo: maximumSize + 1)
        guard bytes.count <= maximumSize else { throw .trouble("\(name) is larger than \(maximumSize) bytes") }
        if status.st_mode & S_IFMT == S_IFREG { try checkWriters(path, status, name) }
        let source = SettingsSource.file(Excerpt.plain(String(decoding: path, as: UTF8.self)))
        do throws(JSONError) {
            return (try JSONDocument(settings: bytes).root, source)
        } catch {
            throw .settings([source.faultOfEncoding(bytes) ?? source.fault(error, in: bytes)])
        }
    }

    /// Whoever can change the settings says whose tokens are let in.
    private static func checkWriters(_ path: [UInt8], _ status: stat, _ name: String) throws(CommandFailure) {
        guard status.st_mode & 0o002 == 0 else {
            throw .trouble("\(name) can be changed by every user of the machine: chmod o-w")
        }
        let owners = FileOwners.ofProcess
        var fault = owners.fault(of: status)
        // Standard input has no folders. A name that is no text is looked at itself, but not the folders above it.
        if fault == nil, !InputFile.isDash(path), let path = String(validating: path, as: UTF8.self) {
            fault = owners.fault(above: try LocalPath.absolute(path))
        }
        if let fault { throw .trouble("\(name) \(fault)") }
    }
}
