extension Migration {
    /// Texts are compared as bytes, times are seconds since 1970, names of accounts, sessions, sign-ups, proofs and mails are
    /// their sixteen bytes.
    ///
    /// Rows that are short, or whose table has few, lie in their key's own tree (WITHOUT ROWID), which saves a second look-up and a
    /// second page to be written. Accounts and sign-ups may have some kilobytes, which would make that tree deep.
    static let first = Migration(
        version: 1, name: "accounts and sessions",
        script: """
            CREATE TABLE migrations (
                version INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                hash BLOB NOT NULL,
                schema_hash BLOB NOT NULL,
                applied_at INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE accounts (
                id BLOB NOT NULL PRIMARY KEY,
                email TEXT,
                email_key TEXT,
                email_proven_at INTEGER,
                user_data TEXT NOT NULL,
                backend_data TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                last_sign_in_at INTEGER,
                banned_until INTEGER
            ) STRICT;
            CREATE UNIQUE INDEX accounts_by_email ON accounts (email_key) WHERE email_key IS NOT NULL;

            CREATE TABLE passwords (
                account BLOB NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                hash TEXT NOT NULL,
                changed_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE identities (
                subject BLOB NOT NULL,
                issuer TEXT NOT NULL,
                provider TEXT NOT NULL,
                account BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                email TEXT,
                is_email_verified INTEGER NOT NULL,
                is_private_relay INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                last_sign_in_at INTEGER NOT NULL,
                PRIMARY KEY (subject, issuer, provider)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX identities_by_account ON identities (account);

            CREATE TABLE sessions (
                id BLOB NOT NULL PRIMARY KEY,
                account BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                method TEXT NOT NULL,
                provider TEXT,
                created_at INTEGER NOT NULL,
                counter INTEGER NOT NULL,
                rotated_at INTEGER NOT NULL,
                is_seen INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                -- The expiry in steps of 65,536 s: it changes with one refresh in many, and the index with it.
                expires_about INTEGER NOT NULL,
                user_agent TEXT,
                masked_address TEXT
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX sessions_by_account ON sessions (account);
            CREATE INDEX sessions_by_expiry ON sessions (expires_about);

            CREATE TABLE sign_ups (
                id BLOB NOT NULL PRIMARY KEY,
                email TEXT NOT NULL,
                email_key TEXT NOT NULL,
                password_hash TEXT NOT NULL,
                user_data TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX sign_ups_by_email ON sign_ups (email_key, id);
            CREATE INDEX sign_ups_by_expiry ON sign_ups (expires_at);

            -- Neither the link nor the code: both are made from the id, under the master key.
            CREATE TABLE mailed_proofs (
                id BLOB NOT NULL PRIMARY KEY,
                purpose TEXT NOT NULL,
                account BLOB REFERENCES accounts (id) ON DELETE CASCADE,
                sign_up BLOB REFERENCES sign_ups (id) ON DELETE CASCADE,
                email TEXT NOT NULL,
                email_key TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                wrong_codes INTEGER NOT NULL,
                used_at INTEGER,
                CHECK ((account IS NULL) <> (sign_up IS NULL))
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX mailed_proofs_by_account ON mailed_proofs (account) WHERE account IS NOT NULL;
            CREATE INDEX mailed_proofs_by_sign_up ON mailed_proofs (sign_up) WHERE sign_up IS NOT NULL;
            CREATE INDEX mailed_proofs_by_email ON mailed_proofs (email_key);
            CREATE INDEX mailed_proofs_by_expiry ON mailed_proofs (expires_at);

            CREATE TABLE outbox (
                id BLOB NOT NULL PRIMARY KEY,
                proof BLOB NOT NULL REFERENCES mailed_proofs (id) ON DELETE CASCADE,
                purpose TEXT NOT NULL,
                email TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                next_attempt_at INTEGER NOT NULL,
                tries INTEGER NOT NULL,
                expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX outbox_by_proof ON outbox (proof);
            CREATE INDEX outbox_by_attempt ON outbox (next_attempt_at, id);
            CREATE INDEX outbox_by_expiry ON outbox (expires_at);

            CREATE TABLE remembered_tokens (
                name BLOB NOT NULL PRIMARY KEY,
                session BLOB NOT NULL,
                request BLOB NOT NULL,
                used_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX remembered_tokens_by_expiry ON remembered_tokens (expires_at);

            CREATE TABLE used_nonces (
                name BLOB NOT NULL PRIMARY KEY,
                expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX used_nonces_by_expiry ON used_nonces (expires_at);

            -- The greatest expiry of what was purged: nothing at or before it is believed to be unused.
            CREATE TABLE forgotten (
                kind TEXT NOT NULL PRIMARY KEY,
                expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE attempts (
                name BLOB NOT NULL PRIMARY KEY,
                taken INTEGER NOT NULL,
                counted_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX attempts_by_expiry ON attempts (expires_at);

            CREATE TABLE signing_keys (
                key_id TEXT NOT NULL PRIMARY KEY,
                state TEXT NOT NULL,
                sealed BLOB NOT NULL,
                created_at INTEGER NOT NULL,
                since INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            -- AUTOINCREMENT: a number that was purged never comes back.
            CREATE TABLE audit (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                event TEXT NOT NULL,
                at INTEGER NOT NULL,
                account BLOB,
                session BLOB,
                caller TEXT,
                detail TEXT
            ) STRICT;
            CREATE INDEX audit_by_account ON audit (account) WHERE account IS NOT NULL;
            CREATE INDEX audit_by_time ON audit (at);

            PRAGMA application_id = 1349481332;
            PRAGMA user_version = 1;
            """
    )
}
