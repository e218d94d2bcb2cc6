internal import Glibc

/// Where the settings put sockets, as far as the start would refuse it whatever else there is.
enum SocketPlace {
    static func check(_ settings: ServeSettings, _ faults: SettingsFaults) {
        for listener in settings.listeners {
            guard case .unix(let path, _, _, _) = listener.place else { continue }
            let folder = FileState.folder(of: path)
            guard let state = FileState(folder, follows: true), state.permissions & 0o002 != 0 else { continue }
            faults.note(
                listener.object.failure(
                    "unix",
                    "lies where everybody may write and could put another socket, \(state.words): use a folder of its own"
                ))
        }
    }
}
