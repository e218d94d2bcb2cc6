// All settings. `Docs/Settings.md`, the manual page, the messages, the file to start from, the variables and the flags come from
// here.

extension Setting {
    static let oneOfThree = "one of the three"

    static let top: [Setting] = [
        Setting("providers", .objects, unlessSaid: "required", "whose tokens are verified"),
        Setting("listeners", .objects, unlessSaid: "required", "where callers connect, and what they find there"),
        Setting(
            "api_keys", .objects, unlessSaid: "none",
            "who may call over TCP; several at once, so that one can be replaced"),
        Setting("nonces", .object, unlessSaid: "as below", "the nonces that are issued"),
        Setting(
            "accounts", .object, unlessSaid: "as below",
            "people, their passwords and sessions; without `data` tokens are verified and nothing is kept"),
        Setting("limits", .object, unlessSaid: "as below", "how much is taken, and how long is waited"),
        Setting("log", .object, unlessSaid: "as below", "what is told on standard error"),
        Setting(
            "cache_folder", .text, unlessSaid: "$CACHE_DIRECTORY, $XDG_CACHE_HOME/postern or ~/.cache/postern",
            example: "\"/var/cache/postern\"",
            "where copies of fetched key sets are kept, so that a restart during an outage still verifies; an empty text for none"
        ),
    ]

    static let providers: [Setting] = [
        Setting(
            "providers[].provider", .text, unlessSaid: "required", example: "\"apple\"",
            "`apple`, `google`, `microsoft`, `facebook`, `firebase` or `oidc`"),
        Setting(
            "providers[].name", .text, unlessSaid: "the provider", example: "\"apple\"",
            "what requests and answers call it, and accounts their identities: under another name all are strangers; "
                + "unlike those of all others, and not another provider's word"),
        Setting(
            "providers[].audiences", .objects, unlessSaid: "required",
            "the clients of yours that tokens may be for; for `firebase` one, the project ID"),
        Setting(
            "providers[].issuer", .text, unlessSaid: "required for `oidc`", example: "\"https://login.example.com\"",
            "the issuer, byte for byte; only for `oidc`"
        ),
        Setting(
            "providers[].keys", .text, unlessSaid: "the issuer's discovery document",
            example: "\"https://login.example.com/keys\"",
            "an https URL or the absolute path of a file with the JWK Set; only for `oidc`, all others are pinned"),
        Setting(
            "providers[].algorithms", .texts, unlessSaid: "RS256", example: "[\"RS256\"]",
            "what your client is registered with; only for `oidc`"),
        Setting(
            "providers[].tenant", .text, unlessSaid: "required for `microsoft`", example: "\"common\"",
            "`common`, `organizations`, `consumers` or the GUID of a tenant; only for `microsoft`"),
        Setting(
            "providers[].presenters", .texts, unlessSaid: "none", example: "[\"com.example.other\"]",
            "clients that may present tokens (`azp`) besides the audiences; not for `firebase`"),
        Setting(
            "providers[].leeway", .number(0...300, of: "seconds"), unlessSaid: "60", "seconds that clocks may differ"),
        Setting(
            "providers[].max_age", .number(0...31_622_400, of: "seconds"),
            unlessSaid: "600 for `apple`, 3600 for others, 0 for `firebase`", example: "600",
            "greatest age of a token in seconds since it was issued; 0 for none"),
        Setting(
            "providers[].ca_file", .text, unlessSaid: "the system's authorities",
            example: "\"/etc/ssl/example-ca.pem\"",
            "the absolute path of a PEM file with the authorities that alone vouch for the key server"),
        Setting(
            "providers[].proxy", .text, unlessSaid: "none", example: "\"http://proxy.example:3128\"",
            "fetch keys by way of this proxy, such as `http://proxy.example:3128`"),
        Setting(
            "providers[].insecure_loopback", .flag, unlessSaid: "false",
            "allow http:// URLs with a loopback address, for tests"),
    ]

    static let audiences: [Setting] = [
        Setting(
            "providers[].audiences[].client_id", .text, unlessSaid: "required",
            example: "\"\(Placeholder.start): the bundle ID or Services ID\"",
            "what stands in `aud`: for Apple the bundle ID or Services ID"),
        Setting("providers[].audiences[].kind", .text, unlessSaid: "`app`", "`app` or `web`"),
        Setting(
            "providers[].audiences[].nonce", .text, unlessSaid: "required", example: "\"issued\"",
            "`issued` (ours, good once), `hashed`, `plain` or `unchecked`: how the token holds the nonce"),
        Setting(
            "providers[].audiences[].accept_unsupported_nonce", .flag, unlessSaid: "false",
            "let a token without nonce pass when it says `nonce_supported: false`; not for `web`"),
        Setting(
            "providers[].audiences[].single_use", .flag, unlessSaid: "true",
            "let a token buy one session and no other; only with `accounts.data`"),
    ]

    static let listeners: [Setting] = [
        Setting(
            "listeners[].unix", .text, unlessSaid: oneOfThree, example: "\"/run/postern/postern.sock\"",
            "the absolute path of a socket that the daemon makes; one that systemd makes (`postern.socket`) is `inherited`"
        ),
        Setting(
            "listeners[].tcp", .text, unlessSaid: oneOfThree, example: "\"127.0.0.1:8711\"",
            "an address and a port, such as `127.0.0.1:8711` or `[::1]:8711`"),
        Setting(
            "listeners[].inherited", .number(0...63, of: nil), unlessSaid: oneOfThree, example: "0",
            "a socket that a service manager hands over: 0 is the first, with the Debian package that of `postern.socket`"
        ),
        Setting(
            "listeners[].doors", .texts,
            unlessSaid:
                "`native` and `operations` for `unix`; for `tcp` `auth` with `accounts.data`, else none; required for `inherited`",
            example: "[\"native\", \"operations\"]",
            "what is open: `native` (nonces, verdicts, accounts, sessions, keys), `auth` (our public keys, for everybody), `operations` (readiness, metrics); liveness always is"
        ),
        Setting(
            "listeners[].mode", .text, unlessSaid: "`0600`",
            "the permissions of the socket, in octal; always for its owner, never for everybody"),
        Setting(
            "listeners[].owner", .text, unlessSaid: "who runs the daemon", example: "\"postern\"",
            "the user that owns the socket, by name or number"),
        Setting(
            "listeners[].group", .text, unlessSaid: "that of the daemon", example: "\"postern\"",
            "the group of the socket, by name or number"),
        Setting(
            "listeners[].allow_users", .texts, unlessSaid: "whoever can connect", example: "[\"backend\"]",
            "the users whose processes may call, by name or number; not for `tcp`"),
        Setting(
            "listeners[].allow_groups", .texts, unlessSaid: "whoever can connect", example: "[\"backend\"]",
            "the groups whose processes may call, by name or number; the effective group counts, not the others that a process is in; not for `tcp`"
        ),
        Setting(
            "listeners[].require_api_key", .flag, unlessSaid: "false",
            "ask processes of this machine for an API key too; over TCP one is always asked for"),
        Setting(
            "listeners[].reserved_connections", .number(0...1_000_000, of: "connections"),
            unlessSaid: "an even share of half of what no listener reserves", example: "1000",
            "those of `limits.connections` that this listener has for itself"),
        Setting(
            "listeners[].beyond_loopback", .flag, unlessSaid: "false",
            "let `tcp` be an address that other machines reach; keys and tokens cross that network unencrypted"),
    ]

    static let keys: [Setting] = [
        Setting(
            "api_keys[].name", .text, unlessSaid: "required", example: "\"backend\"",
            "whose key it is, for logs, in at most 64 bytes; unlike those of all others"),
        Setting(
            "api_keys[].sha256", .text, unlessSaid: oneOfThree,
            example: "\"\(Placeholder.start): what postern api-key prints\"", isSecret: true,
            "the SHA-256 of the key in hex; `postern api-key` makes both"),
        Setting(
            "api_keys[].file", .text, unlessSaid: oneOfThree, example: "\"/etc/postern/backend.key\"",
            "the absolute path of a file with that hash, or with the key itself and readable by its owner only; nobody else may write to it"
        ),
        Setting(
            "api_keys[].credential", .text, unlessSaid: oneOfThree, example: "\"backend\"",
            "the name of a credential of the service manager (`LoadCredential=`) with the hash or the key"),
    ]

    static let nonces: [Setting] = [
        Setting(
            "nonces.lifetime", .number(10...86_400, of: "seconds"), unlessSaid: "600", "seconds from issue to expiry"),
        Setting(
            "nonces.capacity", .number(1...10_000_000, of: "nonces"), unlessSaid: "1000000",
            "nonces that are issued and not expired, used or not; while there are so many, none are issued; not with `accounts.data`"
        ),
    ]

    static let limits: [Setting] = [
        Setting(
            "limits.requests_per_second", .number(1...1_000_000, of: "requests"), unlessSaid: "no limit",
            example: "200",
            "requests of one caller; each token of a list counts, and at least each 16 KiB of a body"),
        Setting(
            "limits.burst", .number(1...1_000_000, of: "requests"), unlessSaid: "requests_per_second", example: "400",
            "requests of one caller at once; only with requests_per_second"),
        Setting(
            "limits.body_bytes", .number(1024...16_777_216, of: "bytes"), unlessSaid: "1048576", "the body of a request"
        ),
        Setting(
            "limits.header_bytes", .number(1024...65_536, of: "bytes"), unlessSaid: "16384", "the header of a request"),
        Setting(
            "limits.buffered_bytes", .number(65_536...17_179_869_184, of: "bytes"), unlessSaid: "67108864",
            "what is kept of requests that have not come whole or wait for their answer, over all connections, and as much again of answers that are not taken; each listener has an even share, a quarter of it for headers"
        ),
        Setting(
            "limits.connections", .number(1...1_000_000, of: "connections"), unlessSaid: "16384",
            "connections at a time; the system must allow the daemon so many descriptors and some more"),
        Setting(
            "limits.connections_per_peer", .number(1...1_000_000, of: "connections"),
            unlessSaid: "a quarter of connections, at least 64", example: "4096",
            "connections at a time of one user or address at one listener"),
        Setting(
            "limits.header_seconds", .number(1...600, of: "seconds"), unlessSaid: "10",
            "until the header of a request is there"),
        Setting("limits.body_seconds", .number(1...3600, of: "seconds"), unlessSaid: "30", "until its body is there"),
        Setting(
            "limits.idle_seconds", .number(1...3600, of: "seconds"), unlessSaid: "75",
            "between requests of a connection"),
        Setting(
            "limits.drain_seconds", .number(0...3600, of: "seconds"), unlessSaid: "20",
            "for requests in flight when the daemon is to end"),
        Setting(
            "limits.threads", .number(1...256, of: "threads"), unlessSaid: "one for each core", example: "2",
            "threads that serve"),
    ]

    static let log: [Setting] = [
        Setting("log.level", .text, unlessSaid: "`info`", "`info`, `warning` or `error`: the least that is told"),
        Setting(
            "log.requests", .text, unlessSaid: "`failed`",
            "`none`, `failed` (a problem, a refused token, a fault) or `all`: which requests have a line"),
    ]
}
