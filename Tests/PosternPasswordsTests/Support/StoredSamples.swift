import Foundation
import PosternBase
import PosternPasswords
import PosternTestSupport
import Testing

/// A stored password and the one that it was made of.
struct StoredSample: Decodable, Sendable, CustomTestStringConvertible {
    let form: String
    let passwordHex: String
    let hash: String

    var password: [UInt8] { Hex.decode(passwordHex) ?? [] }
    var testDescription: String { "\(form) \(hash.prefix(40))" }

    /// Of `Tests/Passwords`: computed by other programs.
    static let all = read("stored-hashes.json") + read("bcrypt.json")

    private static func read(_ name: String) -> [StoredSample] {
        let file = TestPaths.package.appending(path: "Tests/Passwords/\(name)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return (try? decoder.decode([StoredSample].self, from: Data(contentsOf: file))) ?? []
    }

    /// One of each form whose hash costs little.
    static let cheap: [StoredSample] = [
        "argon2i", "argon2id", "bcrypt", "scrypt", "pbkdf2 sha256", "pbkdf2 sha512", "firebase",
    ].compactMap { form in
        all.first { $0.form == form && $0.password.count == 21 }
    }
}

/// Whether the password fits, by the hasher of the server.
func fits(_ password: [UInt8], _ text: String) throws -> Bool {
    let hash = try StoredPasswordHash(parsing: text)
    guard let password = Password(utf8: password) else { return false }
    return try Argon2idHasher(.least).verify(password, against: hash)
}

/// Why a text is not taken; nil when it is.
func fault(_ text: String) -> StoredHashFault? {
    do throws(StoredHashFault) {
        _ = try StoredPasswordHash(parsing: text)
        return nil
    } catch {
        return error
    }
}

extension StoredHashFault {
    var kind: String {
        switch self {
        case .unknownForm: "unknown"
        case .malformed: "malformed"
        case .tooCostly: "costly"
        }
    }
}
