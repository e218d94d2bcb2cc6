import PosternAccounts
import PosternBase

@testable import PosternStoreTestSupport

extension Defect {
    private static let goes = "a mailed proof stays when its account or sign-up is replaced, and goes with it"
    private static let lists = "mailed proofs are listed in the order of their names, also those that are used or over"
    private static let due = "mails that are due come from the earliest on, no more than the limit"
    private static let apart = "mailed proofs for an address are deleted in any case, those of one account apart"
    private static let belongs = "no mailed proof is without its account or sign-up, and no mail without its proof"

    static let mailDefects = [
        Defect(
            "what was used in second 0 is unused",
            foundBy: "every field of a mailed proof comes back as it was put, and is replaced",
            reader: { LosesUses(reader: $0) }),
        Defect(
            "tries of a mail are not counted",
            foundBy: "every field of a mail comes back as it was put, and is replaced",
            transaction: { Forgetful($0) }),
        Defect("an account and a sign-up of one name are one", foundBy: lists, reader: { OneName(reader: $0) }),
        Defect("what was used is not listed", foundBy: lists, reader: { Unused(reader: $0) }),
        Defect(
            "an account is replaced by deleting it", foundBy: goes, transaction: { ReplacingOwners($0, accounts: true) }
        ),
        Defect(
            "a sign-up is replaced by deleting it", foundBy: goes,
            transaction: { ReplacingOwners($0, accounts: false) }),
        Defect("a proof is replaced by deleting it", foundBy: goes, transaction: { ReplacingProofs($0) }),
        Defect("an account leaves its proofs behind", foundBy: goes, transaction: { Orphaning($0, .accounts) }),
        Defect("a sign-up leaves its proofs behind", foundBy: goes, transaction: { Orphaning($0, .signUps) }),
        Defect("a proof leaves its mails behind", foundBy: goes, transaction: { Orphaning($0, .proofs) }),
        Defect(
            "a purge leaves behind what belongs to nobody",
            foundBy: "a purged sign-up takes its mailed proofs along, and a purged proof its mails",
            transaction: { Orphaning($0, .purges) }),
        Defect("proofs are deleted by the address as it was written", foundBy: apart, transaction: { Exact($0) }),
        Defect("no account is spared", foundBy: apart, transaction: { Sparing($0, asAsked: false) }),
        Defect("sign-ups are spared", foundBy: apart, transaction: { Sparing($0, asAsked: true) }),
        Defect("a mail is due a second late", foundBy: due, reader: { Outbox(reader: $0, late: 1) }),
        Defect("a mail is due a second early", foundBy: due, reader: { Outbox(reader: $0, late: -1) }),
        Defect("mails come as they are called", foundBy: due, reader: { Outbox(reader: $0, isByName: true) }),
        Defect(
            "a limit below zero is none in the outbox", foundBy: due, reader: { Outbox(reader: $0, isEndless: true) }),
        Defect("a proof of nobody is passed over", foundBy: belongs, transaction: { LenientMail($0, proofs: true) }),
        Defect("a mail of no proof is passed over", foundBy: belongs, transaction: { LenientMail($0, proofs: false) }),
        Defect(
            "a purge forgets what was used",
            foundBy: "a purge deletes what has expired, to the second, and nothing else",
            transaction: { ForgetsUses($0) }),
    ]
}

private final class LosesUses: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func mailedProof(_ id: MailedProofID) throws(StoreFault) -> MailedProof? {
        guard var proof = try reader.mailedProof(id) else { return nil }
        if proof.usedAt == 0 { proof.usedAt = nil }
        return proof
    }
}

private final class OneName: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func mailedProofs(of owner: MailedProof.Owner) throws(StoreFault) -> [MailedProof] {
        let own = try reader.mailedProofs(of: owner)
        guard case .signUp(let id) = owner, let account = AccountID(bytes: id.bytes) else { return own }
        return try reader.mailedProofs(of: .account(account)) + own
    }
}

private final class Unused: ForwardingReader {
    let reader: any StoreReader
    init(reader: any StoreReader) { self.reader = reader }

    func mailedProofs(of owner: MailedProof.Owner) throws(StoreFault) -> [MailedProof] {
        try reader.mailedProofs(of: owner).filter { $0.usedAt == nil }
    }
}

private final class Outbox: ForwardingReader {
    let reader: any StoreReader
    private let late: Int64
    private let isByName: Bool
    private let isEndless: Bool

    init(reader: any StoreReader, late: Int64 = 0, isByName: Bool = false, isEndless: Bool = false) {
        self.reader = reader
        (self.late, self.isByName, self.isEndless) = (late, isByName, isEndless)
    }

    func outbox(dueAt time: Int64, limit: Int) throws(StoreFault) -> [OutboxMail] {
        let mails = try reader.outbox(dueAt: time &- late, limit: isEndless && limit < 0 ? .max : limit)
        return isByName ? mails.sorted { "\($0.id)" < "\($1.id)" } : mails
    }
}

private final class Forgetful: ForwardingTransaction {
    let transaction: any StoreTransaction
    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    func put(_ mail: OutboxMail) throws(StoreFault) {
        var mail = mail
        mail.tries = try transaction.mail(mail.id)?.tries ?? mail.tries
        try transaction.put(mail)
    }
}

private final class ReplacingOwners: ForwardingTransaction {
    let transaction: any StoreTransaction
    private let replacesAccounts: Bool

    init(_ transaction: any StoreTransaction, accounts: Bool) {
        self.transaction = transaction
        replacesAccounts = accounts
    }

    func put(_ account: Account) throws(StoreFault) {
        if replacesAccounts { try transaction.delete(account: account.id) }
        try transaction.put(account)
    }

    func put(_ signUp: SignUp) throws(StoreFault) {
        if !replacesAccounts { try transaction.delete(signUp: signUp.id) }
        try transaction.put(signUp)
    }
}

private final class ReplacingProofs: ForwardingTransaction {
    let transaction: any StoreTransaction
    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    func put(_ proof: MailedProof) throws(StoreFault) {
        try transaction.delete(mailedProof: proof.id)
        try transaction.put(proof)
    }
}

/// Puts back what went along with something else.
private final class Orphaning: ForwardingTransaction {
    enum Deletion: Sendable { case accounts, signUps, proofs, purges }

    let transaction: any StoreTransaction
    private let deletion: Deletion

    init(_ transaction: any StoreTransaction, _ deletion: Deletion) {
        self.transaction = transaction
        self.deletion = deletion
    }

    private func keeping<Outcome>(
        _ kind: Deletion,
        _ delete: () throws(StoreFault) -> Outcome
    ) throws(StoreFault) -> Outcome {
        guard kind == deletion, let memory = transaction as? MemoryTransaction else { return try delete() }
        let before = memory.state
        let outcome = try delete()
        if kind != .proofs { memory.state.mailedProofs = before.mailedProofs }
        memory.state.mails = before.mails
        return outcome
    }

    func delete(account: AccountID) throws(StoreFault) {
        try keeping(.accounts) { () throws(StoreFault) in try transaction.delete(account: account) }
    }

    func delete(signUp: SignUpID) throws(StoreFault) {
        try keeping(.signUps) { () throws(StoreFault) in try transaction.delete(signUp: signUp) }
    }

    func delete(signUpsFor email: EmailAddress) throws(StoreFault) {
        try keeping(.signUps) { () throws(StoreFault) in try transaction.delete(signUpsFor: email) }
    }

    func delete(mailedProof: MailedProofID) throws(StoreFault) {
        try keeping(.proofs) { () throws(StoreFault) in try transaction.delete(mailedProof: mailedProof) }
    }

    func purge(now: Int64, auditSince: Int64, limit: Int) throws(StoreFault) -> Int {
        try keeping(.purges) { () throws(StoreFault) in
            try transaction.purge(now: now, auditSince: auditSince, limit: limit)
        }
    }
}

private final class Exact: ForwardingTransaction {
    let transaction: any StoreTransaction
    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    func delete(mailedProofsFor email: EmailAddress, except account: AccountID?) throws(StoreFault) {
        guard let memory = transaction as? MemoryTransaction else { return }
        for proof in memory.state.mailedProofs.values where proof.email.text == email.text {
            if account.map({ proof.owner != .account($0) }) ?? true { try memory.delete(mailedProof: proof.id) }
        }
    }
}

private final class Sparing: ForwardingTransaction {
    let transaction: any StoreTransaction
    private let isAsAsked: Bool

    init(_ transaction: any StoreTransaction, asAsked: Bool) {
        self.transaction = transaction
        isAsAsked = asAsked
    }

    func delete(mailedProofsFor email: EmailAddress, except account: AccountID?) throws(StoreFault) {
        guard isAsAsked, let memory = transaction as? MemoryTransaction else {
            return try transaction.delete(mailedProofsFor: email, except: nil)
        }
        let before = memory.state
        try memory.delete(mailedProofsFor: email, except: account)
        for (id, proof) in before.mailedProofs {
            if case .signUp = proof.owner { memory.state.mailedProofs[id] = proof }
        }
    }
}

/// Passes over in silence what it ought to refuse.
private final class LenientMail: ForwardingTransaction {
    let transaction: any StoreTransaction
    private let ofProofs: Bool

    init(_ transaction: any StoreTransaction, proofs: Bool) {
        self.transaction = transaction
        ofProofs = proofs
    }

    func put(_ proof: MailedProof) throws(StoreFault) {
        let isThere: Bool
        switch proof.owner {
        case .account(let id): isThere = try transaction.account(id) != nil
        case .signUp(let id): isThere = try transaction.signUp(id) != nil
        }
        if isThere || !ofProofs { try transaction.put(proof) }
    }

    func put(_ mail: OutboxMail) throws(StoreFault) {
        let isThere = try transaction.mailedProof(mail.proof) != nil
        if isThere || ofProofs { try transaction.put(mail) }
    }
}

private final class ForgetsUses: ForwardingTransaction {
    let transaction: any StoreTransaction
    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    func purge(now: Int64, auditSince: Int64, limit: Int) throws(StoreFault) -> Int {
        if let memory = transaction as? MemoryTransaction {
            for proof in memory.state.mailedProofs.values where proof.usedAt != nil {
                try memory.delete(mailedProof: proof.id)
            }
        }
        return try transaction.purge(now: now, auditSince: auditSince, limit: limit)
    }
}
