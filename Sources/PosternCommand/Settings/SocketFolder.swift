internal import PosternBase

/// Whether somebody else could put a socket of theirs in the place of one of ours, and be taken for the daemon by its callers.
enum SocketFolder {
    /// Notes it for each listener. What is not there yet is for the start to miss.
    static func check(_ settings: ServeSettings, _ faults: SettingsFaults) {
        for listener in settings.listeners {
            guard let fault = fault(listener.place) else { continue }
            faults.note(listener.object.failure("unix", fault))
        }
    }

    static func fault(_ place: ListenerSettings.Place) -> String? {
        guard case .unix(let path, _, _, _) = place else { return nil }
        return fault(above: path)
    }

    /// For a sentence that the name of the setting begins. A group that may write to a folder is left to the operator.
    static func fault(above path: String, _ owners: FileOwners = .ofProcess) -> String? {
        if let fault = owners.fault(above: path) { return fault }
        // The sticky bit keeps others from replacing the socket, but not from putting theirs there while there is none.
        let folder = FileState.folder(of: path)
        guard let state = FileState(folder, follows: true), state.isFolder, state.mode & 0o002 != 0 else { return nil }
        return "lies in \(Excerpt.quote(folder)), a folder to which every user may write: use a folder of its own"
    }
}
