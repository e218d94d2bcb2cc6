internal import PosternBase

// Who has a hash may guess at the password for as long as they like, and a signer key is another server's secret: printing one shows neither.

extension StoredPasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "StoredPasswordHash(\(Mask.text))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mask.mirror(of: self) }
}

extension Argon2Hash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "Argon2Hash(memoryKiB: \(memoryKiB), passes: \(passes), \(Mask.text))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mask.mirror(of: self) }
}

extension BcryptHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "BcryptHash(logRounds: \(logRounds), \(Mask.text))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mask.mirror(of: self) }
}

extension ScryptHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "ScryptHash(\(Mask.text))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mask.mirror(of: self) }
}

extension PBKDF2Hash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "PBKDF2Hash(iterations: \(iterations), \(Mask.text))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mask.mirror(of: self) }
}

extension FirebaseScryptHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "FirebaseScryptHash(\(Mask.text))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mask.mirror(of: self) }
}
