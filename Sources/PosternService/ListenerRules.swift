internal import PosternHTTP

/// What one listener offers, and to whom.
package struct ListenerRules: Sendable {
    /// The doors that it opens. Liveness is behind none.
    package let doors: Doors
    /// The users and groups whose processes may call (SO_PEERCRED); with both empty the mode of the socket decides alone.
    package let users: Set<UInt32>
    package let groups: Set<UInt32>
    /// Whether processes of this machine need an API key as well; callers over TCP always do.
    package let requiresKey: Bool

    package init(
        doors: Set<Door>,
        users: Set<UInt32> = [],
        groups: Set<UInt32> = [],
        requiresKey: Bool = false
    ) {
        self.doors = Doors(doors)
        self.users = users
        self.groups = groups
        self.requiresKey = requiresKey
    }

    func allows(_ peer: Peer) -> Bool {
        switch peer {
        case .process(let user, let group, _):
            users.isEmpty && groups.isEmpty || users.contains(user) || groups.contains(group)
        // Whoever names users or groups means processes that can be told apart.
        case .address: users.isEmpty && groups.isEmpty
        }
    }

    func requiresKey(of peer: Peer) -> Bool {
        if case .process = peer { return requiresKey }
        return true
    }
}
