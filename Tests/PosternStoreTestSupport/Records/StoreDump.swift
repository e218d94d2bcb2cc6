package import PosternAccounts
import PosternBase

/// Everything that a store holds, as far as its readers can say, as lines to be compared.
///
/// Nonces, tokens and attempts are not listed by any reader: those with the `names` are looked up.
package enum StoreDump {
    package static func records(
        of reader: any StoreReader,
        names: [[UInt8]] = []
    ) throws(StoreFault) -> [String] {
        var lines: [String] = []
        var last: AccountID?
        while let page = Optional(try reader.accounts(after: last, limit: 50)), !page.isEmpty {
            for account in page { try add(account, from: reader, to: &lines) }
            last = page.last?.id
        }
        var lastSignUp: SignUpID?
        while let page = Optional(try reader.signUps(after: lastSignUp, limit: 50)), !page.isEmpty {
            for signUp in page {
                lines.append(signUp.record)
                try add(.signUp(signUp.id), from: reader, to: &lines)
            }
            lastSignUp = page.last?.id
        }
        lines += try reader.signingKeys().map(\.record).sorted()
        for name in names { try add(name, from: reader, to: &lines) }
        if let expiry = try reader.forgottenNonces() { lines.append("forgotten_nonces \(expiry)") }
        if let expiry = try reader.forgottenTokens() { lines.append("forgotten_tokens \(expiry)") }
        return lines + (try trail(of: reader))
    }

    private static func add(
        _ account: Account,
        from reader: any StoreReader,
        to lines: inout [String]
    ) throws(StoreFault) {
        lines.append(account.record)
        if let password = try reader.password(of: account.id) { lines.append(password.record) }
        lines += try reader.identities(of: account.id).map(\.record)
        lines += try reader.sessions(of: account.id).map(\.record)
        try add(.account(account.id), from: reader, to: &lines)
    }

    /// The mailed proofs of one person, each with its mails.
    private static func add(
        _ owner: MailedProof.Owner,
        from reader: any StoreReader,
        to lines: inout [String]
    ) throws(StoreFault) {
        for proof in try reader.mailedProofs(of: owner) {
            lines.append(proof.record)
            lines += try reader.mails(of: proof.id).map(\.record)
        }
    }

    private static func add(
        _ name: [UInt8],
        from reader: any StoreReader,
        to lines: inout [String]
    ) throws(StoreFault) {
        if let token = try reader.rememberedToken(name) { lines.append(token.record) }
        if try reader.isUsed(nonce: name) { lines.append("nonce \(Hex.encode(name))") }
        if let attempts = try reader.attempts(name) { lines.append(attempts.record) }
    }

    /// Without its numbers: only their order is promised.
    private static func trail(of reader: any StoreReader) throws(StoreFault) -> [String] {
        var lines: [String] = []
        var last: Int64?
        while let page = Optional(try reader.auditTrail(of: nil, before: last, limit: 50)), !page.isEmpty {
            lines += page.map(\.entry.record)
            last = page.last?.number
        }
        return lines
    }
}

extension AccountStore {
    /// What is committed now.
    package func dump(names: [[UInt8]] = []) async throws(StoreFault) -> [String] {
        try await read { reader throws(StoreFault) in try StoreDump.records(of: reader, names: names) }
    }
}
