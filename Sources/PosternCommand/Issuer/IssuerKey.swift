internal import PosternBase
internal import PosternCrypto
internal import PosternIssuer
internal import PosternJOSE

/// The key of the issuer of tests, in a file or not.
enum IssuerKey {
    private static let largestFile = 65_536

    /// RSA unless the file holds another one: Apple's are, and verifiers take RS256 unless told otherwise.
    static func key(_ path: [UInt8]?) throws(CommandFailure) -> MintingKey {
        guard let path else { return try generate() }
        let name = "the key file \(RawArguments.quote(path))"
        guard InputFile.exists(path) || InputFile.isSpecial(path) else {
            let key = try generate()
            try OutputFile.create(path, try pem(of: key), mode: 0o600, named: name)
            return key
        }
        let bytes = try InputFile.contents(of: path, named: name, upTo: largestFile)
        do throws(CryptoError) {
            return try MintingKey(pem: bytes)
        } catch {
            throw .trouble("\(name) holds no private key that can sign: it must be unencrypted PEM")
        }
    }

    private static func generate() throws(CommandFailure) -> MintingKey {
        do throws(CryptoError) {
            return try .generate(.rs256)
        } catch {
            throw .trouble("no key can be made: \(error.reason.rawValue)")
        }
    }

    private static func pem(of key: MintingKey) throws(CommandFailure) -> [UInt8] {
        do throws(CryptoError) {
            return try key.pem()
        } catch {
            throw .trouble("the key cannot be written: \(error.reason.rawValue)")
        }
    }
}
