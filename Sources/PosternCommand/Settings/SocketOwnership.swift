internal import Glibc

/// Whether the process may give its sockets to whom the settings say: only root may give them away, everybody else to the groups
/// that they are in.
enum SocketOwnership {
    static func check(_ settings: ServeSettings, _ faults: SettingsFaults) {
        guard geteuid() != 0 else { return }
        let groups = ownGroups()
        for listener in settings.listeners {
            guard case .unix(_, _, let owner, let group) = listener.place else { continue }
            faults.attempt { () throws(CommandFailure) in
                if let owner, owner != geteuid() {
                    throw listener.object.failure(
                        "owner",
                        "cannot be another user than that of the daemon, here \(geteuid()), unless root starts it")
                }
                if let group, !groups.contains(group) {
                    throw listener.object.failure(
                        "group",
                        "is one that the user \(geteuid()) is not in, who therefore cannot give the socket to it: "
                            + "usermod --append --groups GROUP USER, or leave group out")
                }
            }
        }
    }

    private static func ownGroups() -> Set<UInt32> {
        let count = getgroups(0, nil)
        guard count > 0 else { return [getegid()] }
        var groups = [gid_t](repeating: 0, count: Int(count))
        let written = getgroups(count, &groups)
        return Set(groups.prefix(Int(max(0, written)))).union([getegid()])
    }
}
