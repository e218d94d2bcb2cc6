import Foundation
import PosternAccounts
import PosternBase
import PosternSQLite

/// A data folder of its own for one test, gone with the last use of it.
final class TestFolder: Sendable {
    let root: String

    init() throws {
        var template = Array("\(NSTemporaryDirectory())/postern-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Not there at first.
    var data: String { root + "/data" }
    var database: String { data + "/postern.db" }

    func open(
        _ use: SQLiteStore.Use = .serving,
        _ change: (inout StoreLimits) -> Void = { _ in }
    ) throws(StoreFault) -> SQLiteStore {
        var limits = StoreLimits()
        change(&limits)
        return try SQLiteStore(folder: data, use, limits: limits)
    }

    /// What Debian's shell says to some statements.
    @discardableResult
    func sqlite(_ statements: String, database: String? = nil) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
                + "for s in (x.replace(chr(1), chr(59)) for x in sys.argv[2].split(';')):\n    for r in c.execute(s): print(*r, sep='|')",
            database ?? self.database, statements,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.EIO) }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}

/// Values for tests, told apart by a number.
enum Sample {
    static func id<Kind>(_ number: Int64) -> Identifier<Kind> {
        Identifier(milliseconds: number, random: RandomSource { [UInt8](repeating: 0, count: $0) })
    }

    static func account(_ number: Int64, email: String? = nil) -> Account {
        Account(id: id(number), email: email.flatMap { try? EmailAddress($0) }, createdAt: 1_000)
    }

    static func session(_ number: Int64, of account: Int64, counter: Int64 = 0, expiresAt: Int64 = 2_000_000) -> Session
    {
        Session(
            id: id(number), account: id(account), method: .password, createdAt: 1_000, counter: counter,
            expiresAt: expiresAt)
    }

    /// One of an account and one of a sign-up with one number have names of their own.
    static func proof(
        _ number: Int64,
        of owner: MailedProof.Owner,
        email: EmailAddress,
        expiresAt: Int64 = 2_000_000
    ) -> MailedProof {
        var number = number
        if case .signUp = owner { number += 1 << 32 }
        return MailedProof(
            id: id(number), purpose: .verify, owner: owner, email: email, createdAt: 1, expiresAt: expiresAt)
    }

    static func number(of proof: MailedProof) -> Int64 { proof.id.bytes[..<6].reduce(0) { $0 << 8 | Int64($1) } }

    static func name(_ number: Int64) -> [UInt8] {
        [UInt8](repeating: 0, count: 24) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}

/// The reason for which something throws; nil when it does not.
func reason(_ body: () async throws(StoreFault) -> Void) async -> StoreFault.Reason? {
    do throws(StoreFault) { try await body() } catch { return error.reason }
    return nil
}

extension TestFolder {
    static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
}
