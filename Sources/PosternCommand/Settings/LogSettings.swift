internal import PosternBase
internal import PosternService

/// How much is told.
struct LogSettings {
    let level: LogLevel
    let requests: LoggedRequests

    init(_ object: SettingsObject?) throws(CommandFailure) {
        level = try object?.word("level", LogLevel.self) ?? .info
        requests = try object?.word("requests", LoggedRequests.self) ?? .failed
        // What can never come should not seem to have been asked for.
        if let object, level > .info, requests == .all {
            throw object.failure(
                "requests",
                "has no meaning with this level, since the lines of requests are info: say none, or the level info")
        }
    }
}
