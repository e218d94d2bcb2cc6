import PosternAccounts
import PosternBase
import PosternTokens

// Values as lines of ASCII, for comparing what went in with what came out. `==` of texts is canonical equivalence in Swift, and a
// store that changed one form of "é" into the other would pass by it.

/// A line about a value: its kind and every field.
private func record(_ kind: String, _ fields: (String, String?)...) -> String {
    kind + fields.map { " \($0.0)=\($0.1 ?? "-")" }.joined()
}

/// Every byte that is not plain is written in hex.
private func quoted(_ text: String?) -> String? {
    guard let text else { return nil }
    let bytes = text.utf8.map { byte in
        (0x20...0x7E).contains(byte) && byte != 0x22 && byte != 0x5C
            ? String(UnicodeScalar(byte)) : "\\x" + Hex.encode([byte])
    }
    return "\"" + bytes.joined() + "\""
}

private func number(_ value: Int64?) -> String? { value.map { String($0) } }

extension Account {
    package var record: String {
        PosternStoreTestSupport.record(
            "account", ("id", id.description), ("email", quoted(email?.text)), ("key", quoted(email?.key)),
            ("proven", number(emailProvenAt)), ("user", quoted(userData)), ("backend", quoted(backendData)),
            ("created", number(createdAt)), ("updated", number(updatedAt)), ("signed_in", number(lastSignInAt)),
            ("banned", number(bannedUntil)))
    }
}

extension StoredPassword {
    package var record: String {
        PosternStoreTestSupport.record(
            "password", ("account", account.description), ("hash", quoted(hash.revealed)),
            ("changed", number(changedAt)))
    }
}

extension Identity {
    package var record: String {
        PosternStoreTestSupport.record(
            "identity", ("provider", quoted(key.provider)), ("issuer", quoted(key.issuer)),
            ("subject", Hex.encode(key.subject.bytes)), ("account", account.description), ("email", quoted(email)),
            ("verified", isEmailVerified.description), ("relay", isPrivateRelay.description),
            ("created", number(createdAt)), ("signed_in", number(lastSignInAt)))
    }
}

extension Session {
    package var record: String {
        PosternStoreTestSupport.record(
            "session", ("id", id.description), ("account", account.description), ("method", method.rawValue),
            ("provider", quoted(provider)), ("created", number(createdAt)), ("counter", number(counter)),
            ("rotated", number(rotatedAt)), ("seen", isSeen.description), ("expires", number(expiresAt)),
            ("agent", quoted(userAgent)), ("address", quoted(maskedAddress)))
    }
}

extension SignUp {
    package var record: String {
        PosternStoreTestSupport.record(
            "sign_up", ("id", id.description), ("email", quoted(email.text)), ("hash", quoted(passwordHash.revealed)),
            ("user", quoted(userData)), ("created", number(createdAt)), ("expires", number(expiresAt)))
    }
}

extension MailedProof {
    package var record: String {
        let owner =
            switch owner {
            case .account(let id): "account \(id)"
            case .signUp(let id): "sign_up \(id)"
            }
        return PosternStoreTestSupport.record(
            "mailed_proof", ("id", id.description), ("purpose", purpose.rawValue), ("owner", quoted(owner)),
            ("email", quoted(email.text)), ("key", quoted(email.key)), ("created", number(createdAt)),
            ("expires", number(expiresAt)), ("wrong", number(wrongCodes)), ("used", number(usedAt)))
    }
}

extension OutboxMail {
    package var record: String {
        PosternStoreTestSupport.record(
            "mail", ("id", id.description), ("proof", proof.description), ("purpose", purpose.rawValue),
            ("email", quoted(email.text)), ("key", quoted(email.key)), ("created", number(createdAt)),
            ("next", number(nextAttemptAt)), ("tries", number(tries)), ("expires", number(expiresAt)))
    }
}

extension RememberedToken {
    package var record: String {
        PosternStoreTestSupport.record(
            "token", ("name", Hex.encode(name)), ("session", session.description), ("request", Hex.encode(request)),
            ("used", number(usedAt)), ("expires", number(expiresAt)))
    }
}

extension AttemptCount {
    package var record: String {
        PosternStoreTestSupport.record(
            "attempts", ("name", Hex.encode(name)), ("taken", number(taken)), ("counted", number(countedAt)),
            ("expires", number(expiresAt)))
    }
}

extension StoredSigningKey {
    package var record: String {
        PosternStoreTestSupport.record(
            "key", ("id", quoted(keyID)), ("state", state.rawValue), ("sealed", Hex.encode(sealed)),
            ("created", number(createdAt)), ("since", number(since)))
    }
}

extension AuditEntry {
    package var record: String {
        PosternStoreTestSupport.record(
            "audit", ("event", event.rawValue), ("at", number(at)), ("account", account?.description),
            ("session", session?.description), ("caller", quoted(caller)), ("detail", quoted(detail)))
    }
}
