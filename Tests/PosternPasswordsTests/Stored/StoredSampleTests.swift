import Foundation
import PosternPasswords
import PosternTestSupport
import Testing

@Suite struct StoredSampleTests {
    @Test func thereAreSome() {
        #expect(StoredSample.all.count >= 110)
        #expect(StoredSample.cheap.count == 7)
    }

    @Test(arguments: StoredSample.all)
    func theRightPasswordFitsAndOthersDoNot(sample: StoredSample) throws {
        let password = sample.password
        #expect(try fits(password, sample.hash))
        // What bcrypt does not read makes no difference to it.
        let isCut = sample.form == "bcrypt" && password.count >= 72
        #expect(try fits(password + Array("x".utf8), sample.hash) == isCut)
        #expect(try !fits(password.isEmpty ? Array("x".utf8) : Array(password.dropFirst()), sample.hash))
        if !password.isEmpty { #expect(try !fits([], sample.hash)) }
        // A zero ends nothing.
        #expect(try fits(password + [0], sample.hash) == false)
        // What is stored says the same when it is read again.
        #expect(try StoredPasswordHash(parsing: sample.hash).text == sample.hash)
    }

    /// Argon2 alone is what we make, and there another spelling of the same letters is the same password.
    @Test(arguments: StoredSample.all.filter { $0.password.contains { $0 >= 0x80 } })
    func spellingsOfTheSameLetters(sample: StoredSample) throws {
        let text = String(decoding: sample.password, as: UTF8.self)
        let composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
        let decomposed = Array(text.decomposedStringWithCanonicalMapping.utf8)
        guard composed != decomposed else { return }
        let isOurs = sample.form.hasPrefix("argon2")
        if sample.password == composed {
            #expect(try fits(decomposed, sample.hash) == isOurs)
        } else {
            // Somebody else has not normalized it, so nobody but who types it so has the right one.
            #expect(try !fits(composed, sample.hash))
        }
    }
}

@Suite(.enabled(if: TestPaths.hasExtraVectors, "POSTERN_EXTRA_VECTORS is not set"))
struct OutsideHashTests {
    private static func json(_ name: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: TestPaths.extra("password-hashes/\(name)"))
        return try #require(object as? [String: Any])
    }

    private static func fits(_ password: String, _ hash: String) throws -> Bool {
        try PosternPasswordsTests.fits(Array(password.utf8), hash)
    }

    @Test func ofSupabase() throws {
        let vectors = try Self.json("supabase_hashes.json")
        for name in ["argon2", "fbscrypt"] {
            let group = try #require(vectors[name] as? [String: Any])
            let password = try #require(group["password"] as? String)
            let hashes = try #require(group["accept"] as? [String])
            #expect(!hashes.isEmpty)
            for hash in hashes {
                #expect(try Self.fits(password, hash))
                #expect(try !Self.fits(password + "x", hash))
            }
        }
        let refused = try #require(vectors["reject"] as? [[String: String]])
        #expect(refused.count >= 20)
        for vector in refused { #expect(fault(try #require(vector["hash"])) != nil, "\(vector["why"] ?? "")") }
    }

    @Test func ofParseAndPocketBase() throws {
        let users = try #require(try Self.json("parse_users.json")["_User"] as? [[String: Any]])
        #expect(users.count == 2)
        for user in users {
            let hash = try #require(user["_hashed_password"] as? String)
            let password = try #require(user["#password"] as? String)
            #expect(try Self.fits(password, hash))
            #expect(try !Self.fits(password + " ", hash))
        }
        let other = try Self.json("pocketbase_bcrypt.json")
        let passwords = try #require(other["password_found"] as? [String])
        #expect(try Self.fits(try #require(passwords.first), try #require(other["hash"] as? String)))
    }

    /// As an export has them: the project's parameters once, salt and hash for each user.
    @Test func ofFirebase() throws {
        let vectors = try #require(try Self.json("firebase_scrypt_vectors.json")["vectors"] as? [[String: Any]])
        #expect(vectors.count == 4)
        for vector in vectors {
            let config = try #require(vector["hash_config"] as? [String: Any])
            let parameters = try FirebaseScryptParameters(
                signerKey: try #require(config["base64_signer_key"] as? String),
                saltSeparator: try #require(config["base64_salt_separator"] as? String),
                rounds: try #require(config["rounds"] as? Int), memoryCost: try #require(config["mem_cost"] as? Int)
            )
            let salt = try #require(vector["salt"] as? String)
            let hash = try #require(vector["passwordHash"] as? String)
            let stored = try parameters.hash(passwordHash: hash, salt: salt)
            let password = try #require(vector["password"] as? String)
            #expect(try Self.fits(password, stored.text))
            #expect(try !Self.fits(password.uppercased(), stored.text))
            // The server's own answers have the other alphabet.
            func urlSafe(_ text: String) -> String {
                text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            }
            #expect(try parameters.hash(passwordHash: urlSafe(hash), salt: urlSafe(salt)) == stored)
        }
    }
}
