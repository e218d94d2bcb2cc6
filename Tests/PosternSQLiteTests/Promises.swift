import PosternAccounts
import PosternBase
import PosternPasswords

/// What `PosternStoreWriter live` has acknowledged, and what it was at when it was killed.
struct Promises: Sendable {
    /// How often the password of an account was changed.
    private(set) var accounts: [AccountID: Int] = [:]
    private(set) var deleted: Set<AccountID> = []
    /// How often a session was refreshed.
    private(set) var sessions: [SessionID: Int64] = [:]
    private(set) var ended: Set<SessionID> = []
    private(set) var nonces: Set<[UInt8]> = []
    /// May be gone, though nobody has said so.
    private var deleting: Set<AccountID> = []
    private var ending: Set<SessionID> = []
    /// Lines that say something else.
    private var others: [String] = []

    var isEmpty: Bool { accounts.isEmpty && sessions.isEmpty && nonces.isEmpty }

    mutating func note(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        let name = words.count > 1 ? words[1] : ""
        let (account, session) = (AccountID(name), SessionID(name))
        switch (words.first, words.last.flatMap { Int64($0) }) {
        case ("account", let change?): if let account { accounts[account] = Int(change) }
        case ("session", let counter?): if let session { sessions[session] = counter }
        case ("deleting", _): if let account { deleting.insert(account) }
        case ("deleted", _): if let account { deleted.insert(account) }
        case ("ending", _): if let session { ending.insert(session) }
        case ("ended", _): if let session { ended.insert(session) }
        case ("nonce", _): if let nonce = Hex.decode(name) { nonces.insert(nonce) }
        default: others.append(line)
        }
    }

    mutating func add(_ other: Promises) {
        accounts.merge(other.accounts) { max($0, $1) }
        sessions.merge(other.sessions) { max($0, $1) }
        deleted.formUnion(other.deleted)
        deleting.formUnion(other.deleting)
        ended.formUnion(other.ended)
        ending.formUnion(other.ending)
        nonces.formUnion(other.nonces)
        others += other.others
    }

    /// What of it is not so.
    func broken(_ reader: any StoreReader) throws(StoreFault) -> [String] {
        var broken = others
        for (id, change) in accounts {
            if let why = try self.broken(id, change, reader) { broken.append("\(id): \(why)") }
        }
        for (id, counter) in sessions {
            let found = try reader.session(id)
            if ended.contains(id) {
                if found != nil { broken.append("\(id): ended and there") }
            } else if let found {
                if found.counter < counter { broken.append("\(id): \(found.counter) instead of \(counter)") }
            } else if !ending.contains(id) {
                broken.append("\(id): not there")
            }
        }
        for nonce in nonces where try !reader.isUsed(nonce: nonce) { broken.append("nonce \(Hex.encode(nonce))") }
        return broken
    }

    private func broken(_ id: AccountID, _ change: Int, _ reader: any StoreReader) throws(StoreFault) -> String? {
        let (account, password) = (try reader.account(id), try reader.password(of: id))
        guard account != nil else {
            guard deleted.contains(id) || deleting.contains(id) else { return "not there" }
            let sessions = try reader.sessions(of: id)
            return password == nil && sessions.isEmpty ? nil : "deleted by half"
        }
        if deleted.contains(id) { return "deleted and there" }
        // A change that nobody was told of may have been made as well.
        guard let password, Self.isOne(of: [change, change + 1], password) else { return "another password" }
        return nil
    }

    private static func isOne(of changes: [Int], _ stored: StoredPassword) -> Bool {
        guard let hash = try? StoredPasswordHash(parsing: stored.hash.revealed) else { return false }
        let hasher = Argon2idHasher(.least)
        return changes.contains { change in
            guard let password = Password("correct horse battery \(change)") else { return false }
            return (try? hasher.verify(password, against: hash)) == true
        }
    }
}
