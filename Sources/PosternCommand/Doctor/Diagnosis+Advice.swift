extension Diagnosis {
    /// What to do about it; nil where all is well.
    var advice: String? {
        switch level {
        case .ok: nil
        case .warning: warningAdvice
        case .problem: problemAdvice
        }
    }

    private var warningAdvice: String {
        switch self {
        case .clockBeforeProgram: "Compare the clock with another machine's; if it is right, install the program anew."
        case .clockSyncMissing: "Run a time service, such as chrony or systemd-timesyncd: timedatectl set-ntp true."
        case .clockSyncUnknown: "Ask the machine that this container runs on whether its clock is kept right."
        case .clockServerDiffers: "Run a time service, before tokens look expired or too new."
        case .userRoot:
            "Run the daemon, and this, as a user of its own: runuser -u postern -- env CACHE_DIRECTORY=/var/cache/postern "
                + "postern doctor …"
        case .watchdogUnusable: "Take WATCHDOG_USEC out of the environment, or let systemd set it (WatchdogSec=)."
        case .watchdogUnheard: "Set Type=notify in the unit, which sets NOTIFY_SOCKET, or take WatchdogSec= out."
        case .settingsMissing: "Name them: postern doctor --config FILE."
        case .credentialsNotChecked:
            "Look at the log of the service: what is wrong with a credential refuses the start, and is said there alone."
        case .keysSlow:
            "Look at DNS, the proxy and the way to the issuer: a sign-in waits for 2 seconds at most "
                + "while older keys serve, up to 5.5 when there are none."
        case .keysLeaked:
            "Tell the issuer: tokens of the key that it gave away are refused, and others may not be safe."
        case .cacheFolderUnknown: "Set cache_folder, so that a restart during an outage of the issuer still verifies."
        case .cacheFolderFull: "Make room; without it the copy on disk grows old."
        case .dataFolderFull: "Make room before sign-ins fail: store_full."
        case .databaseUnseen: "Run this as that user to look through it: runuser -u postern -- postern doctor …"
        case .authShut: "Name auth in doors of a listener, unless backends ask /v1/introspect alone."
        case .copyStale:
            "Nothing while the issuer can be asked: the daemon replaces it. Else repair the way there in time."
        case .copyIgnored: "Errors.md says what the code means. Find out who wrote there, if it was not the daemon."
        case .socketStale: "Nothing: the daemon takes it away at its start. If one should run, look at its log."
        case .socketDiffers:
            "Start the daemon again; set mode and owner in the settings, not by hand. One that systemd makes is inherited."
        case .inheritedForAnother: "Start the daemon by its unit, or with LISTEN_PID of its own process."
        case .daemonMissing:
            "Start it; if it does not stay, its log says why. Or the path is not the one of its socket."
        case .daemonUnseen: "Find out what listens there: ss -xlp."
        case .daemonForbidden: "Run this as a user that may connect, such as the backend's."
        default: "Look at /health/ready and the log; it serves on, and not for ever."
        }
    }

    private var problemAdvice: String {
        switch self {
        case .clockImplausible, .clockServerFar:
            "Set the clock and run a time service: tokens are refused or let in by it."
        case .entropyNotReady: "Wait until the machine has started, or give it a source of randomness (virtio-rng)."
        case .cryptoUnsupported: "Install OpenSSL 3 (libssl3)."
        case .cryptoFailed: "Look at openssl.cnf and OPENSSL_CONF: a policy may forbid what tokens need."
        case .settingsInvalid:
            "Repair what is named; postern settings lists all that there is. The user of the daemon must be able to read its settings."
        case .descriptorsLow: "Raise the hard limit (LimitNOFILE= of systemd, ulimit -Hn), or lower limits.connections."
        case .authoritiesMissing, .authoritiesEmpty: "Install ca-certificates, or name the right ca_file."
        case .authoritiesUnreadable: "Let the user of the daemon read it: chmod a+r."
        case .authoritiesDamaged: "Make it anew: update-ca-certificates --fresh, or the ca_file from its source."
        case .keysUnreachable: "Errors.md says what each code means. Without a copy on disk nobody can sign in."
        case .keysUnusable: "Look at what the issuer publishes: postern keys fetch says why each key is skipped."
        case .keysSettings: "Repair ca_file or proxy in the settings."
        case .keysFileUnusable: "Name a file with a JWK Set; postern keys show says why each key is skipped."
        default: placeAdvice
        }
    }

    private var placeAdvice: String {
        switch self {
        case .cacheFolderMissing: "Make it, with mode 0700, and give it to the user of the daemon; or set cache_folder."
        case .cacheFolderForeign: "Give it to the user of the daemon: chown. A copy in it is believed by nobody else."
        case .cacheFolderOpen: "chmod 700: whoever can write there decides who signs in."
        case .cacheFolderUnusable: "Let the user of the daemon write there, on a file system that is not read-only."
        case .dataFolderMissing: "Make it, or the folder above it, and give it to the user of the daemon."
        case .dataFolderForeign: "Give it to the user of the daemon, with all that is in it: chown -R."
        case .dataFolderOpen: "chmod 700: whoever can read there has everybody's address and hashes."
        case .databaseDamaged:
            "End the daemon and restore a backup (postern restore), which keeps the files; look at the disk and its cables."
        case .databaseUnusable: "Do what the message says; the daemon does not start like that."
        case .signingKeysUnusable:
            "Put the master key back that counted before, or name it as a former one; if it is lost, follow Operating.md: postern keys rotate --withdraw."
        case .socketFolderMissing: "Make it (RuntimeDirectory= of systemd, tmpfiles.d), or choose another path."
        case .socketFolderOpen: "Put the socket into a folder of its own: others could put theirs in its place."
        case .socketFolderClosed:
            "If systemd opens the socket (postern.socket), say inherited in place of unix; else let the user of the daemon write there."
        case .socketNoSocket: "Take it away, or name another path: no daemon can listen there."
        case .socketExposed: "chmod o-w, or start the daemon again: everybody may connect."
        case .portPrivileged: "Choose a port from the one that is named on, and put a proxy before it."
        case .portNoAddress: "Name an address of this machine, or 127.0.0.1."
        case .inheritedMissing:
            "Let the service manager hand over as many sockets as the settings name (ListenStream=)."
        case .daemonNotReady: "A provider has no keys: see keys_unreachable, and the log for keys_failed."
        case .daemonSilent: "Look at its log and at its use of the processor; start it again."
        default: "Stop the other program, or choose another place."
        }
    }
}
