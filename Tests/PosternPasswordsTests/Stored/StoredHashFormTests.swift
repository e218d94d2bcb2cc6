import Foundation
import PosternPasswords
import Testing

/// Texts that are no stored password, form by form: the good one is taken, each change of it is not.
@Suite struct StoredHashFormTests {
    private static let salt16 = "AAECAwQFBgcICQoLDA0ODw"
    private static let hash32 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
    private static let argon2 = "$argon2id$v=19$m=64,t=2,p=1$\(salt16)$\(hash32)"
    private static let bcrypt = "$2b$04$./ABCDEFGHIJKLMNOPQRSOu.DtqT28tfEwz1ZPE0BsGZE2KTwEfRC"
    private static let scrypt = "$scrypt$ln=4,r=8,p=1$\(salt16)$\(hash32)"
    private static let pbkdf2 = "$pbkdf2-sha256$i=1000,l=32$\(salt16)$\(hash32)"
    private static let django = "pbkdf2_sha256$1000$salt$\(hash32)="
    private static let firebase = "$fbscrypt$v=1,n=4,r=8,p=1,ss=Bw==,sk=\(hash32)=$AA==$\(hash32)="

    @Test(arguments: [argon2, bcrypt, scrypt, pbkdf2, django, firebase])
    func goodOnesAreTaken(text: String) {
        #expect(fault(text) == nil)
        // Nothing stands before or behind, and every dollar sign counts.
        for changed in [
            "\(text)$", "$\(text)", "\(text) ", " \(text)", "\(text)\n", "\(text)\0", "{CRYPT}\(text)", "\(text)=",
        ] {
            #expect(fault(changed) != nil, "\(changed.debugDescription)")
        }
        #expect(fault(String(repeating: "A", count: 1025)) == .malformed("more than 1024 bytes"))
    }

    @Test(arguments: [
        "", "$", "$$", "$$$", "password", "$1$salt$hash", "$5$rounds=5000$salt$hash", "$6$salt$hash",
        "$y$j9T$salt$hash",
        "$7$CU..../....salt$hash", "{SSHA}AAAA", "5f4dcc3b5aa765d61d8327deb882cf99",
        "$argon2d$v=19$m=64,t=2,p=1$\(salt16)$\(hash32)",
        "argon2id$v=19$m=64,t=2,p=1$\(salt16)$\(hash32)", "$ARGON2ID$v=19$m=64,t=2,p=1$\(salt16)$\(hash32)",
        "$2x$04$./ABCDEFGHIJKLMNOPQRSOu.DtqT28tfEwz1ZPE0BsGZE2KTwEfRC",
        "$2$04$./ABCDEFGHIJKLMNOPQRSOu.DtqT28tfEwz1ZPE0BsGZE2KTwEfRC",
        "$pbkdf2-sha1$i=1000$\(salt16)$\(hash32)", "$pbkdf2$1000$\(salt16)$\(hash32)",
        "pbkdf2_sha1$1000$salt$\(hash32)=",
        "bcrypt_sha256$$2b$04$./ABCDEFGHIJKLMNOPQRSOu.DtqT28tfEwz1ZPE0BsGZE2KTwEfRC", "*0", "!", "x",
    ])
    func otherFormsAreUnknown(text: String) { #expect(fault(text) == .unknownForm) }

    /// In each the first text is replaced by the second.
    @Test(arguments: [
        (argon2, "v=19", "v=16"), (argon2, "v=19$", ""), (argon2, "v=19", "v=019"),
        (argon2, "m=64,t=2,p=1", "t=2,m=64,p=1"),
        (argon2, "m=64,t=2,p=1", "m=64,t=2"), (argon2, ",p=1", ",p=1,data=abc"), (argon2, ",p=1", ",p=1,keyid=abc"),
        (argon2, "m=64", "m=064"), (argon2, "m=64", "m=+64"), (argon2, "m=64", "m="), (argon2, "m=64", "M=64"),
        (argon2, "m=64", "m=-64"), (argon2, "m=64", "m=6 4"), (argon2, "m=64", "m=0x40"), (argon2, "m=64", "m=64.0"),
        (argon2, "m=64", "m=18446744073709551680"), (argon2, "m=64", "m=7"), (argon2, "t=2", "t=0"),
        (argon2, "p=1", "p=0"),
        (argon2, "m=64,t=2,p=1", "m=15,t=2,p=2"), (argon2, salt16, ""), (argon2, salt16, "!!!"),
        (argon2, salt16, "AAECAwQFBg"),
        (argon2, salt16, "\(salt16)=="), (argon2, salt16, "AAECAwQFBgcICQoLDA0ODx"), (argon2, hash32, ""),
        (argon2, hash32, "!!!"),
        (argon2, hash32, "AAECAwQFBgcICQoLDA0O"), (argon2, hash32, "\(hash32)="), (argon2, "$\(hash32)", ""),
        (argon2, hash32, "\(hash32)\(hash32)AAAA"), (argon2, salt16, "-_ECAwQFBgcICQoLDA0ODw"),
        (bcrypt, "$04$", "$4$"), (bcrypt, "$04$", "$+4$"), (bcrypt, "$04$", "$004$"), (bcrypt, "$04$", "$xx$"),
        (bcrypt, "$04$", "$$"),
        (bcrypt, "$04$", "$03$"), (bcrypt, "$04$", "$00$"), (bcrypt, "SOu.", "SOu"), (bcrypt, "SOu.", "SOu.."),
        (bcrypt, "SOu.", "SOu!"),
        (bcrypt, "SOu.", "SOu$"), (bcrypt, "SOu.", "SOu+"), (bcrypt, "RSOu", "RSPu"), (bcrypt, "RSOu", "RSAu"),
        (bcrypt, "EfRC", "EfRD"),
        (bcrypt, "EfRC", "EfRE"), (bcrypt, "./ABCDEFGHIJKLMNOPQRSO", ""),
        (scrypt, "ln=4", "ln=0"), (scrypt, "ln=4", "n=4"), (scrypt, "r=8", "r=0"), (scrypt, "p=1", "p=0"),
        (scrypt, ",p=1", ""),
        (scrypt, "ln=4,r=8", "ln=16,r=1"), (scrypt, "ln=4", "ln=04"), (scrypt, salt16, ""), (scrypt, salt16, "A"),
        (scrypt, hash32, "AAECAwQFBgcICQoLDA0O"), (scrypt, hash32, ""), (scrypt, ",p=1", ",p=1,q=1"),
        (scrypt, "$\(salt16)", ""),
        (pbkdf2, "l=32", "l=31"), (pbkdf2, "l=32", "l=33"), (pbkdf2, "l=32", "l="), (pbkdf2, "i=1000", "i=0"),
        (pbkdf2, "i=1000,", ""),
        (pbkdf2, "i=1000,l=32", "l=32,i=1000"), (pbkdf2, "i=1000,l=32", "01000"), (pbkdf2, "i=1000,l=32", "1000,l=32"),
        (pbkdf2, "i=1000,l=32", ""), (pbkdf2, "i=1000,l=32", "0"), (pbkdf2, salt16, ""),
        (pbkdf2, "i=1000,l=32", "i=1000,"),
        (pbkdf2, "i=1000,l=32$\(salt16)", "1000$AAECAwQFBgcICQoLDA0O+w"), (pbkdf2, salt16, "AAECAwQFBgcICQoLDA0O.w"),
        (pbkdf2, hash32, "AAECAwQFBgcICQoLDA0O"), (django, "$1000$", "$$"), (django, "$1000$", "$i=1000$"),
        (django, "$salt$", "$$"),
        (django, "\(hash32)=", hash32), (django, "\(hash32)=", ""), (django, "$1000$", "$0$"),
        (firebase, "v=1", "v=2"), (firebase, "v=1,", ""), (firebase, "n=4", "n=0"), (firebase, "r=8", "r=0"),
        (firebase, "p=1", "p=0"),
        (firebase, "ss=Bw==", "ss=Bw"), (firebase, "ss=Bw==", "ss=!!!"), (firebase, "ss=Bw==,", ""),
        (firebase, "sk=AAEC", "sk=!!!!"),
        (firebase, "sk=\(hash32)=", "sk="), (firebase, "sk=\(hash32)=", "sk=AAECAwQFBgcICQoLDA0ODw=="),
        (firebase, "$AA==$", "$$"),
        (firebase, "$AA==$", "$AA$"), (firebase, "$AA==$", "$!!!$"), (firebase, "$AA==$\(hash32)=", "$AA==$!!!"),
        (firebase, "$AA==$\(hash32)=", "$AA==$"),
    ])
    func malformedOnesAreNotTaken(good: String, part: String, replacement: String) throws {
        let range = try #require(good.range(of: part))
        let text = good.replacingCharacters(in: range, with: replacement)
        #expect(fault(text)?.kind == "malformed", "\(text)")
    }

    /// What is just taken, and what costs too much.
    @Test(arguments: [
        (argon2, "m=64,t=2,p=1", "m=131072,t=8,p=1", "m=131073,t=1,p=1"),
        (argon2, "m=64,t=2,p=1", "m=131072,t=8,p=255", "m=131072,t=9,p=1"),
        (argon2, "m=64,t=2,p=1", "m=8,t=131072,p=1", "m=8,t=131073,p=1"),
        (argon2, "m=64,t=2,p=1", "m=2040,t=2,p=255", "m=2048,t=2,p=256"),
        (argon2, "m=64", "m=131072", "m=4294967297"), (argon2, "m=64", "m=131072", "m=9999999999"),
        (bcrypt, "$04$", "$14$", "$15$"), (bcrypt, "$04$", "$04$", "$31$"), (bcrypt, "$04$", "$04$", "$99$"),
        (scrypt, "ln=4,r=8,p=1", "ln=17,r=8,p=2", "ln=17,r=8,p=3"),
        (scrypt, "ln=4,r=8,p=1", "ln=17,r=8,p=1", "ln=18,r=8,p=1"),
        (scrypt, "ln=4,r=8,p=1", "ln=17,r=8,p=1", "ln=17,r=9,p=1"),
        (scrypt, "ln=4,r=8,p=1", "ln=1,r=64,p=1024", "ln=1,r=65,p=1024"),
        (scrypt, "ln=4,r=8,p=1", "ln=1,r=1024,p=64", "ln=1,r=1024,p=65"),
        (scrypt, "ln=4,r=8,p=1", "ln=1,r=1024,p=64", "ln=1,r=1025,p=1"),
        (scrypt, "ln=4,r=8,p=1", "ln=1,r=1,p=1024", "ln=1,r=1,p=1025"),
        (scrypt, "ln=4,r=8,p=1", "ln=19,r=2,p=1", "ln=21,r=8,p=1"),
        (scrypt, "ln=4,r=8,p=1", "ln=19,r=2,p=1", "ln=16384,r=8,p=1"),
        (scrypt, "ln=4,r=8,p=1", "ln=4,r=8,p=1", "ln=20,r=2,p=1"),
        (pbkdf2, "i=1000", "i=2000000", "i=2000001"), (pbkdf2, "i=1000", "i=2000000", "i=9999999999"),
        (django, "$1000$", "$2000000$", "$2000001$"), (firebase, "n=4,r=8", "n=17,r=8", "n=18,r=8"),
        (firebase, "p=1", "p=255", "p=1025"),
    ])
    func costsAreBounded(good: String, part: String, most: String, tooMuch: String) throws {
        let range = try #require(good.range(of: part))
        #expect(fault(good.replacingCharacters(in: range, with: most)) == nil)
        #expect(fault(good.replacingCharacters(in: range, with: tooMuch))?.kind == "costly")
    }

    /// A hash that is as long as several digests costs as often as much.
    @Test func iterationsCountForEachBlock() {
        let hash33 = "\(Self.hash32.dropLast())8A"
        #expect(fault("$pbkdf2-sha256$i=1000000$\(Self.salt16)$\(hash33)") == nil)
        #expect(fault("$pbkdf2-sha256$i=1000001$\(Self.salt16)$\(hash33)")?.kind == "costly")
        #expect(fault("$pbkdf2-sha512$i=1000000$\(Self.salt16)$\(hash33)") == nil)
        #expect(fault("$pbkdf2-sha512$i=1000001$\(Self.salt16)$\(hash33)")?.kind == "costly")
    }

    @Test func parametersOfAProjectAreCheckedAtOnce() throws {
        let key = "\(Self.hash32)="
        let good = try FirebaseScryptParameters(signerKey: key, saltSeparator: "Bw==", rounds: 8, memoryCost: 14)
        #expect(throws: StoredHashFault.self) { try good.hash(passwordHash: "", salt: "AA==") }
        #expect(throws: StoredHashFault.self) { try good.hash(passwordHash: key, salt: "") }
        #expect(throws: StoredHashFault.self) { try good.hash(passwordHash: "AAAA", salt: "AA==") }
        #expect(throws: StoredHashFault.self) { try good.hash(passwordHash: "$\(key)", salt: "AA==") }
        #expect(throws: Never.self) { try good.hash(passwordHash: Self.hash32, salt: "AA") }
        for (key, separator, rounds, cost) in [
            ("", "Bw==", 8, 14), ("AA==", "Bw==", 8, 14), ("!", "Bw==", 8, 14), (key, "!", 8, 14), (key, "Bw==", 0, 14),
            (key, "Bw==", -8, 14),
            (key, "Bw==", 8, 0), (key, "Bw==", 8, 18), (key, "Bw==", 8, .min), (key, "Bw==", .max, 14),
        ] {
            #expect(throws: StoredHashFault.self) {
                try FirebaseScryptParameters(signerKey: key, saltSeparator: separator, rounds: rounds, memoryCost: cost)
            }
        }
    }

    /// The reason names the part and shows nothing of it.
    @Test func messagesHoldNothingOfTheHash() {
        let text = Self.argon2.replacing("\(Self.hash32)", with: "c2VjcmV0!")
        #expect(fault(text)?.message == "The stored password is malformed: the hash is not base64.")
    }
}
