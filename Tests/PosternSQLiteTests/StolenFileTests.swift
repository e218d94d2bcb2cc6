import PosternAccounts
import PosternBase
import PosternSQLite
import Testing

/// What was mailed is in none of the files, whether they are copied while the store is open or afterwards.
@Suite struct StolenFileTests {
    @Test func noTokenAndNoCodeOfAMailIsThere() async throws {
        let folder = try TestFolder()
        let keys = try MailedProofKeys(MasterKeys([Secret([UInt8](repeating: 7, count: 32))]))
        let email = try EmailAddress("member@mail.example")
        let proofs = (1...20).map { Sample.proof($0, of: .account(Sample.id(1)), email: email) }
        let store = try folder.open()
        try await store.transact { tx throws(StoreFault) in
            try tx.put(Sample.account(1))
            for proof in proofs {
                try tx.put(proof)
                try tx.put(OutboxMail(id: Sample.id(Sample.number(of: proof)), of: proof))
            }
        }
        let open = try TestFolder.bytes(folder.database) + TestFolder.bytes(folder.database + "-wal")
        await store.close()
        let files = [open, try TestFolder.bytes(folder.database)]
        // What is looked for would be found: the address and the names are there.
        for file in files { #expect(file.contains(Array(email.text.utf8)) && file.contains(proofs[19].id.bytes)) }
        for proof in proofs {
            let token = try keys.token(proof.id).revealed
            let mac = Array(try #require(Base64URL.decode(token)).dropFirst(16))
            let code = Array(try keys.code(proof.id).revealed.utf8)
            for secret in [mac, Array(Hex.encode(mac).utf8), Array(token.utf8.dropFirst(22)), code] {
                for file in files { #expect(!file.contains(secret), "\(secret)") }
            }
        }
    }
}
