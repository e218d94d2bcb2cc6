internal import CSodium

/// Argon2id (RFC 9106) of libsodium for passwords of our own, and whatever a hash says for those of others.
package struct Argon2idHasher: PasswordHasher {
    package let parameters: Argon2idParameters

    package init(_ parameters: Argon2idParameters = .standard) { self.parameters = parameters }

    package func hash(_ password: NormalizedPassword) throws(PasswordFault) -> StoredPasswordHash {
        guard Sodium.isReady else { throw Sodium.fault }
        var output = [CChar](repeating: 0, count: Int(crypto_pwhash_argon2id_STRBYTES))
        let result = password.text.withText { text, count in
            crypto_pwhash_argon2id_str(
                &output, text, UInt64(count), UInt64(parameters.passes), parameters.memoryKiB * 1024
            )
        }
        guard result == 0 else { throw PasswordFault(.memory, "libsodium could not make a hash") }
        let text = String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(StoredHashFault) {
            return try StoredPasswordHash(parsing: text)
        } catch {
            throw PasswordFault(.library, "libsodium made a hash of another form")
        }
    }

    package func verify(_ password: Password, against hash: StoredPasswordHash) throws(PasswordFault) -> Bool {
        switch hash.scheme {
        case .argon2(let argon2): try verifyArgon2(password, argon2, hash.text)
        case .bcrypt(let bcrypt):
            try password.text.withBytes { bytes throws(PasswordFault) in try bcrypt.matches(bytes) }
        case .scrypt(let scrypt): try verifyWithHMAC(password, scrypt.matches)
        case .pbkdf2(let pbkdf2): try verifyWithHMAC(password, pbkdf2.matches)
        case .firebaseScrypt(let scrypt): try verifyWithHMAC(password, scrypt.matches)
        }
    }

    /// HMAC fills its key up with zeros, so to these functions a password is the same with zeros behind it; to people it is not. It is computed
    /// all the same, so that nothing is learned from the time.
    private func verifyWithHMAC(
        _ password: Password,
        _ matches: (UnsafeRawBufferPointer) throws(PasswordFault) -> Bool
    ) throws(PasswordFault) -> Bool {
        try password.text.withBytes { bytes throws(PasswordFault) in try matches(bytes) && bytes.last != 0 }
    }

    /// A hash does not say whether the password was normalized before. So what was typed in another form is tried as it was typed, too;
    /// that depends on what was typed alone, and not on whether there is an account.
    private func verifyArgon2(_ password: Password, _ hash: Argon2Hash, _ text: String) throws(PasswordFault) -> Bool {
        let normalized = try password.normalized()
        if try hash.matches(normalized.text, text) { return true }
        if normalized.text.isSameBytes(as: password.text) { return false }
        return try hash.matches(password.text, text)
    }

    package func needsRehash(_ hash: StoredPasswordHash) -> Bool {
        guard case .argon2(let argon2) = hash.scheme else { return true }
        return !argon2.isOwn(parameters)
    }
}
