/// Everything that `postern doctor` may find. `Docs/Doctor.md` lists the same, and a test compares.
///
/// What is well has the name of what was looked at; what is not begins with it.
enum Diagnosis: String, CaseIterable {
    case clock
    case clockImplausible = "clock_implausible"
    case clockBeforeProgram = "clock_before_program"
    case clockSync = "clock_sync"
    case clockSyncMissing = "clock_sync_missing"
    case clockSyncUnknown = "clock_sync_unknown"
    case clockServer = "clock_server"
    case clockServerDiffers = "clock_server_differs"
    case clockServerFar = "clock_server_far"
    case entropy
    case entropyNotReady = "entropy_not_ready"
    case crypto
    case cryptoUnsupported = "crypto_unsupported"
    case cryptoFailed = "crypto_failed"
    case user
    case userRoot = "user_root"
    case watchdog
    case watchdogUnusable = "watchdog_unusable"
    case watchdogUnheard = "watchdog_unheard"
    case settings
    case settingsMissing = "settings_missing"
    case settingsInvalid = "settings_invalid"
    case credentialsNotChecked = "credentials_not_checked"
    case descriptors
    case descriptorsLow = "descriptors_low"
    case authorities
    case authoritiesMissing = "authorities_missing"
    case authoritiesUnreadable = "authorities_unreadable"
    case authoritiesEmpty = "authorities_empty"
    case authoritiesDamaged = "authorities_damaged"
    case keys
    case keysNotAsked = "keys_not_asked"
    case keysSlow = "keys_slow"
    case keysLeaked = "keys_leaked"
    case keysUnreachable = "keys_unreachable"
    case keysUnusable = "keys_unusable"
    case keysSettings = "keys_settings"
    case keysFile = "keys_file"
    case keysFileUnusable = "keys_file_unusable"
    case cacheFolder = "cache_folder"
    case cacheFolderOff = "cache_folder_off"
    case cacheFolderUnknown = "cache_folder_unknown"
    case cacheFolderMissing = "cache_folder_missing"
    case cacheFolderForeign = "cache_folder_foreign"
    case cacheFolderOpen = "cache_folder_open"
    case cacheFolderUnusable = "cache_folder_unusable"
    case cacheFolderFull = "cache_folder_full"
    case copy
    case copyNone = "copy_none"
    case copyStale = "copy_stale"
    case copyIgnored = "copy_ignored"
    case dataFolder = "data_folder"
    case dataFolderMissing = "data_folder_missing"
    case dataFolderForeign = "data_folder_foreign"
    case dataFolderOpen = "data_folder_open"
    case dataFolderFull = "data_folder_full"
    case database
    case databaseNone = "database_none"
    case databaseUnseen = "database_unseen"
    case databaseDamaged = "database_damaged"
    case databaseUnusable = "database_unusable"
    case signingKeys = "signing_keys"
    case signingKeysUnseen = "signing_keys_unseen"
    case signingKeysUnusable = "signing_keys_unusable"
    case authShut = "auth_shut"
    case socketFolder = "socket_folder"
    case socketFolderMissing = "socket_folder_missing"
    case socketFolderOpen = "socket_folder_open"
    case socketFolderClosed = "socket_folder_closed"
    case socket
    case socketNone = "socket_none"
    case socketStale = "socket_stale"
    case socketNoSocket = "socket_no_socket"
    case socketExposed = "socket_exposed"
    case socketDiffers = "socket_differs"
    case port
    case portPrivileged = "port_privileged"
    case portNoAddress = "port_no_address"
    case inherited
    case inheritedElsewhere = "inherited_elsewhere"
    case inheritedForAnother = "inherited_for_another"
    case inheritedMissing = "inherited_missing"
    case daemon
    case daemonNone = "daemon_none"
    case daemonMissing = "daemon_missing"
    case daemonUnseen = "daemon_unseen"
    case daemonForbidden = "daemon_forbidden"
    case daemonWarns = "daemon_warns"
    case daemonNotReady = "daemon_not_ready"
    case daemonSilent = "daemon_silent"
    case daemonForeign = "daemon_foreign"

    enum Level: String, CaseIterable, Comparable {
        case ok, warning, problem

        static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .problem: 2
            }
        }
    }

    var level: Level {
        switch self {
        case .clock, .clockSync, .clockServer, .entropy, .crypto, .user, .watchdog, .settings, .descriptors,
            .authorities, .keys, .keysNotAsked, .keysFile, .cacheFolder, .cacheFolderOff, .copy, .copyNone,
            .dataFolder, .database, .databaseNone, .signingKeys, .signingKeysUnseen,
            .socketFolder, .socket, .socketNone, .port, .inherited, .inheritedElsewhere, .daemon, .daemonNone:
            .ok
        case .clockBeforeProgram, .clockSyncMissing, .clockSyncUnknown, .clockServerDiffers, .userRoot,
            .watchdogUnusable, .watchdogUnheard, .settingsMissing, .credentialsNotChecked, .keysSlow, .keysLeaked,
            .cacheFolderUnknown,
            .cacheFolderFull, .dataFolderFull, .databaseUnseen, .authShut, .copyStale, .copyIgnored, .socketStale,
            .socketDiffers,
            .inheritedForAnother,
            .daemonMissing, .daemonForbidden, .daemonUnseen, .daemonWarns:
            .warning
        case .clockImplausible, .clockServerFar, .entropyNotReady, .cryptoUnsupported, .cryptoFailed, .settingsInvalid,
            .descriptorsLow, .authoritiesMissing, .authoritiesUnreadable, .authoritiesEmpty, .authoritiesDamaged,
            .keysUnreachable, .keysUnusable, .keysSettings, .keysFileUnusable, .cacheFolderMissing, .cacheFolderForeign,
            .cacheFolderOpen, .cacheFolderUnusable, .dataFolderMissing, .dataFolderForeign, .dataFolderOpen,
            .databaseDamaged,
            .databaseUnusable, .signingKeysUnusable, .socketFolderMissing, .socketFolderOpen, .socketFolderClosed,
            .socketNoSocket, .socketExposed, .portPrivileged, .portNoAddress, .inheritedMissing, .daemonNotReady,
            .daemonSilent, .daemonForeign:
            .problem
        }
    }
}
