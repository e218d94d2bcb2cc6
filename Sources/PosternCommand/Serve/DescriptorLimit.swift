internal import Glibc
internal import PosternHTTPServer

/// How many descriptors the daemon may have open (RLIMIT_NOFILE).
enum DescriptorLimit {
    /// Standard streams, the pipe for signals, random numbers, files that are read and written, and some that were handed down.
    private static let forItself = 64
    /// Of fetching keys: connections, the resolver, the pipes of libcurl, a copy on disk.
    private static let perProvider = 16
    /// The socket, its lock, the descriptor in reserve, and one that is taken to be turned away.
    private static let perListener = 4
    /// Its epoll and its bell.
    private static let perThread = 2

    /// What the daemon needs besides connections.
    static func besides(_ settings: ServeSettings) -> Int {
        forItself + perProvider * settings.providers.count + perListener * settings.listeners.count
            + perThread * settings.limits.threads + HTTPServer.placesForTurnedAway
    }

    /// What it needs in all.
    static func needed(for settings: ServeSettings) -> Int { settings.limits.server.connections + besides(settings) }

    /// The soft and the hard limit of this process; as good as none where the system does not say.
    static func current() -> (soft: UInt64, hard: UInt64) {
        var limit = rlimit()
        guard getrlimit(nofile, &limit) == 0 else { return (.max, .max) }
        return (UInt64(limit.rlim_cur), UInt64(limit.rlim_max))
    }

    /// A warning where the hard limit is too low for a start here; the service may have another one.
    static func warning(_ settings: ServeSettings) -> String? {
        let (needed, hard) = (needed(for: settings), current().hard)
        guard hard < rlim_t(clamping: needed) else { return nil }
        return
            "limits.connections is \(settings.limits.server.connections), for which \(needed) descriptors are needed, and the hard "
            + "limit is \(hard) here: a start under it is refused (LimitNOFILE= of systemd, ulimit -Hn)"
    }

    /// Raises the limit to what all connections together need, or says that the system does not allow it.
    static func raise(for settings: ServeSettings) throws(CommandFailure) {
        var limit = rlimit()
        guard getrlimit(nofile, &limit) == 0 else { return }
        let besides = besides(settings)
        let needed = rlim_t(clamping: needed(for: settings))
        guard limit.rlim_cur < needed else { return }
        if limit.rlim_max >= needed {
            limit.rlim_cur = needed
            if setrlimit(nofile, &limit) == 0 { return }
            getrlimit(nofile, &limit)
        }
        let most = Int(clamping: min(limit.rlim_max, rlim_t(Int32.max))) - besides
        let advice = most > 0 ? "set it to at most \(most), or " : ""
        let what =
            "is \(settings.limits.server.connections), and \(besides) descriptors are needed besides, but the system allows "
            + "\(limit.rlim_max): \(advice)raise the hard limit (LimitNOFILE= of systemd, ulimit -Hn)"
        guard let object = settings.limits.object else { throw .trouble("limits.connections \(what)") }
        throw object.failure("connections", what)
    }

    private static var nofile: __rlimit_resource_t { __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)) }
}
