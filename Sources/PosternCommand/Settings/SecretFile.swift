internal import Glibc
internal import PosternBase

/// A file with the key of a caller or its hash: it must be the daemon's own or root's, and nobody else may write to it.
struct SecretFile {
    private static let largest = 4096

    let bytes: [UInt8]
    /// Whether only its owner may read it.
    let isPrivate: Bool

    /// The file that the setting `name` of `object` names.
    init(_ path: String, of object: SettingsObject, _ name: String) throws(CommandFailure) {
        try self.init(path, object, name, readers: 0o077)
    }

    /// What the service manager hands over under a name (systemd.exec(5), `LoadCredential=`).
    ///
    /// systemd lets the user of the service in by an access list, which the bits of the group show.
    init(
        credential: String,
        of object: SettingsObject,
        _ name: String = "credential"
    ) throws(CommandFailure) {
        guard Self.isCredentialName(credential) else { throw object.failure(name, Self.noCredentialName) }
        guard let folder = Self.credentials else {
            throw object.failure(
                name,
                "needs a service manager: CREDENTIALS_DIRECTORY is not set. Say LoadCredential= in the unit, or use file"
            )
        }
        try self.init("\(folder)/\(credential)", object, name, readers: 0o037)
    }

    /// systemd takes none that is longer (systemd.exec(5)).
    static func isCredentialName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && ![".", ".."].containsBytes(of: text)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x2F && $0 != 0x7F }
    }

    static let noCredentialName = "takes the name of a credential, not a path"

    private static var credentials: String? {
        let folder = getenv("CREDENTIALS_DIRECTORY").map { RawArguments.bytes(of: $0) }
        guard let text = folder.flatMap({ String(validating: $0, as: UTF8.self) }), text.utf8.first == 0x2F else {
            return nil
        }
        return text
    }

    /// Whether credentials can be looked at: systemd shows them to the service alone, not to what it runs beside it.
    static var hasCredentials: Bool { credentials.map { access($0, R_OK | X_OK) == 0 } ?? false }

    private init(
        _ path: String,
        _ object: SettingsObject,
        _ name: String,
        readers: mode_t
    ) throws(CommandFailure) {
        // Without O_NONBLOCK a pipe would hold up the start.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable(object, name, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(object, name, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw object.failure(name, "is not a regular file") }
        try Self.checkOwners(path, status, object, name)
        guard status.st_mode & 0o022 == 0 else {
            throw object.failure(name, "can be changed by others than its owner: chmod go-w")
        }
        isPrivate = status.st_mode & readers == 0
        var bytes = [UInt8](repeating: 0, count: Self.largest + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw Self.unreadable(object, name, errno) }
        guard count <= Self.largest else { throw object.failure(name, "is larger than \(Self.largest) bytes") }
        self.bytes = Array(bytes[..<count])
    }

    private static func unreadable(_ object: SettingsObject, _ name: String, _ error: Int32) -> CommandFailure {
        object.failure(name, "cannot be read: \(StandardStreams.explanation(of: error))")
    }

    // MARK: - Who could put something else there

    /// Of files with key sets and authorities it is not asked that their group may not write to them. One that is not there is for
    /// others to miss.
    static func checkWriters(_ path: String, of object: SettingsObject, _ name: String) throws(CommandFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        // A pipe would be waited for.
        guard status.st_mode & S_IFMT == S_IFREG else { throw object.failure(name, "is no regular file") }
        guard status.st_mode & 0o002 == 0 else { throw object.failure(name, "can be changed by every user: chmod o-w") }
        try checkOwners(path, status, object, name)
    }

    private static func checkOwners(
        _ path: String,
        _ status: stat,
        _ object: SettingsObject,
        _ name: String
    ) throws(CommandFailure) {
        let fault = FileOwners.ofProcess.fault(of: status) ?? FileOwners.ofProcess.fault(above: path)
        if let fault { throw object.failure(name, fault) }
    }
}
