import Foundation
import PosternAccounts
import PosternBase
import PosternStoreTestSupport

extension Defect {
    static let readerDefects = [
        Defect(
            "addresses are compared as they were written",
            foundBy: "an account is found by its address in any case, and by no other",
            reader: { ExactEmails(reader: $0) }),
        Defect(
            "a limit below zero is none",
            foundBy: "accounts are listed in the order of the bytes of their names, page by page",
            reader: { NoLowestLimit(reader: $0) }),
        Defect(
            "a limit below zero is none in the audit trail",
            foundBy: "the audit trail is paged, of one account or of all",
            reader: { NoLowestLimit(reader: $0) }),
        Defect(
            "a page begins with the last of the one before",
            foundBy: "sign-ups are listed in the order of the bytes of their names, page by page",
            reader: { InclusivePages(reader: $0) }),
        Defect(
            "names are ordered as signed bytes",
            foundBy: "sessions of an account are listed in the order of their names, also those that are over",
            reader: { SignedOrder(reader: $0) }),
        Defect(
            "the newest identity comes first",
            foundBy: "the identities of an account are listed from the oldest, and deleted together",
            reader: { NewestFirst(reader: $0) }),
        Defect(
            "texts end at U+0000", foundBy: "every field of a session comes back as it was put, and is replaced",
            reader: { CutTexts(reader: $0) }),
        Defect(
            "texts are normalised", foundBy: "every field of an identity comes back as it was put, and is replaced",
            reader: { NormalizedTexts(reader: $0) }),
        Defect(
            "a missing text is an empty one",
            foundBy: "every field of an identity comes back as it was put, and is replaced",
            reader: { EmptyTexts(reader: $0) }),
        Defect(
            "times lose their last bits",
            foundBy: "every field of an attempt count comes back as it was put, and is replaced",
            reader: { FloatingTimes(reader: $0) }),
        Defect(
            "the oldest audit entry comes first",
            foundBy: "every field of an audit entry comes back as it was appended, the newest first",
            reader: { OldestFirst(reader: $0) }),
    ]
}

private final class ExactEmails: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func account(email: EmailAddress) throws(StoreFault) -> Account? {
        let account = try reader.account(email: email)
        return account?.email?.text == email.text ? account : nil
    }
}

private final class NoLowestLimit: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func accounts(after id: AccountID?, limit: Int) throws(StoreFault) -> [Account] {
        try reader.accounts(after: id, limit: limit < 0 ? .max : limit)
    }

    func auditTrail(
        of account: AccountID?,
        before number: Int64?,
        limit: Int
    ) throws(StoreFault) -> [(number: Int64, entry: AuditEntry)] {
        try reader.auditTrail(of: account, before: number, limit: limit < 0 ? .max : limit)
    }
}

private final class InclusivePages: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func signUps(after id: SignUpID?, limit: Int) throws(StoreFault) -> [SignUp] {
        guard let id, let first = try reader.signUp(id) else { return try reader.signUps(after: id, limit: limit) }
        return Array(([first] + (try reader.signUps(after: id, limit: limit))).prefix(max(limit, 0)))
    }
}

private final class SignedOrder: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func sessions(of account: AccountID) throws(StoreFault) -> [Session] {
        try reader.sessions(of: account).sorted {
            $0.id.bytes.map(Int8.init(bitPattern:)).lexicographicallyPrecedes($1.id.bytes.map(Int8.init(bitPattern:)))
        }
    }
}

private final class NewestFirst: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func identities(of account: AccountID) throws(StoreFault) -> [Identity] {
        try reader.identities(of: account).reversed()
    }
}

private final class CutTexts: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func session(_ id: SessionID) throws(StoreFault) -> Session? {
        guard var session = try reader.session(id) else { return nil }
        session.userAgent = session.userAgent.map { String(decoding: $0.utf8.prefix { $0 != 0 }, as: UTF8.self) }
        return session
    }
}

private final class NormalizedTexts: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func identity(_ key: IdentityKey) throws(StoreFault) -> Identity? {
        guard var identity = try reader.identity(key) else { return nil }
        identity.email = identity.email?.precomposedStringWithCanonicalMapping
        return identity
    }
}

private final class EmptyTexts: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func identity(_ key: IdentityKey) throws(StoreFault) -> Identity? {
        guard var identity = try reader.identity(key) else { return nil }
        identity.email = identity.email ?? ""
        return identity
    }
}

private final class FloatingTimes: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func attempts(_ name: [UInt8]) throws(StoreFault) -> AttemptCount? {
        guard var count = try reader.attempts(name) else { return nil }
        count.taken = Int64(exactly: Float(count.taken)) ?? .max
        return count
    }
}

private final class OldestFirst: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func auditTrail(
        of account: AccountID?,
        before number: Int64?,
        limit: Int
    ) throws(StoreFault) -> [(number: Int64, entry: AuditEntry)] {
        try reader.auditTrail(of: account, before: number, limit: limit).reversed()
    }
}
