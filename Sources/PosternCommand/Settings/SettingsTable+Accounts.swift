// What is set of people, their passwords and their sessions.

extension Setting {
    static let accounts: [Setting] = [
        Setting(
            "accounts.data", .text, unlessSaid: "nothing is kept, and tokens are verified only",
            example: "\"/var/lib/postern\"",
            "the absolute path of the folder with the database, of mode 0700 and the daemon's own; `--data` says it too"
        ),
        Setting(
            "accounts.master_key_file", .text, unlessSaid: "this or `master_key_credential` with `data`",
            example: "\"/etc/postern/master.key\"",
            "the absolute path of the file that all other keys come from, outside of `data` and readable by its owner only; `postern keys master` makes one"
        ),
        Setting(
            "accounts.master_key_credential", .text, unlessSaid: "this or `master_key_file` with `data`",
            example: "\"postern.master-key\"",
            "the name of a credential of the service manager (`LoadCredential=`) with the same"),
        Setting(
            "accounts.former_master_key_files", .texts, unlessSaid: "none",
            example: "[\"/etc/postern/master-old.key\"]",
            "those that counted before: what was made under one is recognised, and nothing new is made under it"),
        Setting(
            "accounts.former_master_key_credentials", .texts, unlessSaid: "none",
            example: "[\"postern.master-key-old\"]", "the same as credentials of the service manager"),
        Setting(
            "accounts.issuer", .text, unlessSaid: "required with `data`", example: "\"https://auth.example.com\"",
            "what stands in `iss` of access tokens: the https URL under which apps and backends find the door `auth`"),
        Setting(
            "accounts.audience", .text, unlessSaid: "`authenticated`",
            "what stands in `aud` of access tokens, and what a backend asks for"),
        Setting(
            "accounts.insecure_loopback", .flag, unlessSaid: "false",
            "let `issuer` be an http:// URL with a loopback address, for tests"),
        Setting(
            "accounts.access_token_lifetime", .number(60...86_400, of: "seconds"), unlessSaid: "3600",
            "how long an access token is good"),
        Setting(
            "accounts.signing_key_period", .number(86_400...31_536_000, of: "seconds"), unlessSaid: "2592000",
            "how long a key signs access tokens until the next one does"),
        Setting("accounts.sessions", .object, unlessSaid: "as below", "how long sessions live"),
        Setting("accounts.passwords", .object, unlessSaid: "as below", "sign-in by email address and password"),
        Setting(
            "accounts.confirmation", .text, unlessSaid: "`external`",
            "what comes between a sign-up and its account: `external` (the backend or an operator confirms it) or `none`"
        ),
        Setting(
            "accounts.sign_up_lifetime", .number(300...2_592_000, of: "seconds"), unlessSaid: "86400",
            "how long a sign-up waits to be confirmed"),
        Setting(
            "accounts.attempts", .object, unlessSaid: "as below",
            "tries of passwords for one email address or account"),
        Setting(
            "accounts.attempts_by_address", .object, unlessSaid: "as below",
            "tries of passwords from one network address, or one /64 network of IPv6"),
        Setting(
            "accounts.audit_retention", .number(86_400...315_360_000, of: "seconds"), unlessSaid: "31536000",
            "how long lines of the audit trail are kept"),
    ]

    static let sessions: [Setting] = [
        Setting(
            "accounts.sessions.time_box", .number(60...315_360_000, of: "seconds"), unlessSaid: "no end",
            example: "2592000", "from sign-in to the end, whatever is done meanwhile"),
        Setting(
            "accounts.sessions.inactivity", .number(300...315_360_000, of: "seconds"), unlessSaid: "5184000",
            "how long a session lives without a refresh"),
        Setting(
            "accounts.sessions.single", .flag, unlessSaid: "false",
            "end all other sessions of an account when it signs in"),
    ]

    static let passwords: [Setting] = [
        Setting(
            "accounts.passwords.enabled", .flag, unlessSaid: "false",
            "let people sign up and in by email address and password"),
        Setting(
            "accounts.passwords.minimum_characters", .number(6...64, of: "characters"), unlessSaid: "8",
            "the least that a new password has"),
        Setting(
            "accounts.passwords.maximum_characters", .number(64...1024, of: "characters"), unlessSaid: "256",
            "the most that a new password has"),
        Setting(
            "accounts.passwords.blocklist", .texts,
            unlessSaid: "`/usr/share/john/password.lst` and `/usr/share/dict/cracklib-small` of Debian",
            example: "[\"/usr/share/john/password.lst\"]",
            "absolute paths of files with passwords that many people have, one a line, of which none is taken; `[\"none\"]` for no list"
        ),
        Setting(
            "accounts.passwords.hash_memory", .number(7_168...131_072, of: "KiB"), unlessSaid: "19456",
            "memory for a hash (Argon2id)"),
        Setting(
            "accounts.passwords.hash_passes", .number(1...100, of: "passes"), unlessSaid: "2",
            "passes over that memory; with it at least 35840"),
        Setting(
            "accounts.passwords.hash_threads", .number(1...256, of: "threads"),
            unlessSaid: "half of the cores, at least one", example: "2", "hashes at a time"),
        Setting(
            "accounts.passwords.hash_queue", .number(1...10_000, of: "hashes"), unlessSaid: "64",
            "hashes that wait; who comes when there are so many is told to come again"),
    ]

    static let attempts: [Setting] = [
        Setting("accounts.attempts.burst", .number(1...1_000, of: "tries"), unlessSaid: "10", "tries in a row"),
        Setting(
            "accounts.attempts.refill", .number(1...86_400, of: "seconds"), unlessSaid: "60",
            "until one of them is open again"),
        Setting(
            "accounts.attempts_by_address.burst", .number(1...1_000_000, of: "tries"), unlessSaid: "100",
            "tries in a row"),
        Setting(
            "accounts.attempts_by_address.refill", .number(1...86_400, of: "seconds"), unlessSaid: "6",
            "until one of them is open again"),
    ]
}
