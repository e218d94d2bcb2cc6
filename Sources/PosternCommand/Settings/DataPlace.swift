internal import Glibc
internal import PosternBase
internal import PosternService

/// The folder with the data, as far as it can be looked at without making it.
enum DataPlace {
    /// Notes what the start would be refused for.
    static func check(_ settings: ServeSettings, _ faults: SettingsFaults) {
        guard let accounts = settings.accounts, let wrong = fault(of: accounts.data) else { return }
        faults.note(accounts.object.failure("data", wrong))
    }

    private static func fault(of path: String) -> String? {
        guard let state = FileState(path, follows: true) else {
            // What may not be looked at is the user's own to find out.
            return errno == ENOENT ? missing(path) : nil
        }
        guard state.isFolder else { return "is no folder" }
        // Root may look at the folder of the daemon's user, too.
        guard geteuid() == 0 || state.owner == geteuid() else {
            return "belongs to user \(state.owner), and this is \(geteuid()): run this as the user of the daemon"
        }
        guard state.permissions & 0o077 == 0 else {
            return "lets others in (\(state.words)): chmod 0700"
        }
        return nil
    }

    /// The daemon makes the last folder of the path and no other.
    static func missing(_ path: String) -> String? {
        var parts = path
        while parts.utf8.count > 1, parts.utf8.last == 0x2F { parts.removeLast() }
        let above = FileState.folder(of: parts)
        guard let state = FileState(above, follows: true) else {
            guard errno == ENOENT else { return nil }
            return "is not there, nor is the folder above it: make that first (mkdir -p), as only the last one is made"
        }
        guard state.isFolder else { return "cannot be made: what is above it is no folder" }
        guard access(above, W_OK | X_OK) == 0 else {
            return "is not there, and user \(geteuid()) cannot make it: make it, and give it to the user of the daemon"
        }
        return nil
    }

    /// A warning where nobody can get the public keys of access tokens; nil where all is well.
    static func warning(_ settings: ServeSettings) -> String? {
        guard settings.accounts != nil, !settings.listeners.contains(where: { $0.rules.doors.contains(.auth) }) else {
            return nil
        }
        return "no listener opens the door auth, so nobody gets the public keys of access tokens: name it in doors, "
            + "unless backends ask /v1/introspect alone"
    }
}
