internal import PosternBase
internal import PosternService

/// Everything that the daemon and the test issuer tell; `postern events` lists it, and so does `Docs/Output.md`, word for word.
extension LogEvent {
    static let all = ownEvents + AuditLog.all

    private static let ownEvents = [
        starting, startFailed, storeMade, storeOpened, storeFailed, storeRecovered, issuerListening, listening, noDoors,
        socketNotTaken,
        keysReplaced, keysLoaded, keysFailed,
        keysStale,
        keysLeaked,
        keysCopyIgnored, keysCopyNotWritten, RequestLog.request, RequestLog.notLogged, connectionsRefused, peersRefused,
        acceptFailed, managerNotTold, logLinesLost, reloaded, reloadFailed, restartNeeded,
        signingKeysFailed, purgeFailed, stopping, stopped, killed,
    ]

    static let starting = LogEvent("starting", .info, ["version", "pid"], "the settings are good")
    static let startFailed = LogEvent(
        "start_failed", .error, ["code", "message"],
        "the settings are good and the daemon cannot start: `in_use`, `unsafe`, `invalid` or `system` for a listener, `descriptors` for too few of them, `store` for the folder with the data and the keys in it; status 2. At a terminal it is told as a plain line"
    )
    static let storeOpened = LogEvent(
        "store_opened", .info, ["data"], "accounts and sessions are kept in this folder, which is locked for others")
    static let storeMade = LogEvent(
        "store_made", .warning, ["data"],
        "nothing was kept in this folder, and an empty database was made: right at the first start alone")
    static let storeFailed = LogEvent(
        "store_failed", .error, ["code", "message"],
        "the store does not do what it is asked for ([Errors.md](Errors.md)); told once, until the reason changes")
    static let storeRecovered = LogEvent("store_recovered", .info, [], "the store does again what it is asked for")
    static let issuerListening = LogEvent(
        "issuer_listening", .info, ["issuer"], "the test issuer is there (`postern issuer`, `--development`)")
    static let listening = LogEvent(
        "listening", .info, ["unix", "address", "port", "inherited", "doors"],
        "one for each listener, all of which are open; where it is, as the settings say")
    static let noDoors = LogEvent(
        "no_doors", .warning, ["unix", "address", "port", "inherited", "doors", "message"],
        "a listener answers nothing but liveness")
    static let socketNotTaken = LogEvent(
        "socket_not_taken", .warning, ["inherited", "message"],
        "the service manager handed over a socket that no listener of the settings names: who connects there waits and gets no answer"
    )
    static let keysReplaced = LogEvent(
        "keys_replaced", .info, ["provider", "usable", "skipped"],
        "a key set came that differs from the one before; how many of its keys are used")
    static let keysLoaded = LogEvent(
        "keys_loaded", .info, ["provider", "usable"], "the copy on disk serves until the issuer has been asked")
    static let keysFailed = LogEvent(
        "keys_failed", .warning, ["provider", "code", "message"],
        "the issuer could not be asked ([Errors.md](Errors.md#why-a-key-set-could-not-be-fetched))")
    static let keysStale = LogEvent(
        "keys_stale", .warning, ["provider"], "the keys are past their time and serve on")
    static let keysLeaked = LogEvent("keys_leaked", .error, ["provider"], "the issuer has published a secret")
    static let keysCopyIgnored = LogEvent(
        "keys_copy_ignored", .warning, ["provider", "code", "message"],
        "the copy on disk is not used ([Errors.md](Errors.md#why-a-copy-on-disk-is-not-used))")
    static let keysCopyNotWritten = LogEvent(
        "keys_copy_not_written", .warning, ["provider", "code", "message"], "the set could not be put on disk")
    static let connectionsRefused = LogEvent(
        "connections_refused", .warning, ["listener", "count"],
        "there were too many, in all or of one peer; at once, then every ten seconds how often")
    static let peersRefused = LogEvent(
        "peers_refused", .warning, ["listener", "count"],
        "they were of users and groups that may not call; told as often")
    static let acceptFailed = LogEvent(
        "accept_failed", .error, ["listener", "count", "message"], "connections could not be taken; told as often")
    static let managerNotTold = LogEvent(
        "manager_not_told", .warning, ["message"],
        "the service manager hears nothing: `NOTIFY_SOCKET` is no Unix socket, nobody is there, or it is not read; in the last case it is told again until it is"
    )
    static let logLinesLost = LogEvent(
        "log_lines_lost", .warning, ["count"], "nobody read what was told, and there was no room for so many lines")
    static let reloaded = LogEvent(
        "reloaded", .info, ["providers"], "SIGHUP: the settings were read anew, and these are the providers now")
    static let reloadFailed = LogEvent(
        "reload_failed", .error, ["message", "faults"],
        "SIGHUP: something is wrong with the settings, the first and the first twenty of it; those of before count on")
    static let restartNeeded = LogEvent(
        "restart_needed", .warning, ["settings", "message"],
        "SIGHUP: these have changed and count from the next start on")
    static let signingKeysFailed = LogEvent(
        "signing_keys_failed", .error, ["code", "message"],
        "the keys that sign access tokens could not be looked after; tried again each minute")
    static let purgeFailed = LogEvent(
        "purge_failed", .warning, ["code", "message"],
        "what has expired could not be deleted; tried again each minute")
    static let stopping = LogEvent(
        "stopping", .info, ["signal"], "requests in flight are answered, no new ones taken")
    static let stopped = LogEvent("stopped", .info, [], "the end")
    static let killed = LogEvent("killed", .warning, ["signal"], "a second signal came; status 2")
}
