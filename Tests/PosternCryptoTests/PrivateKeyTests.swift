import PosternCrypto
import PosternTestSupport
import Testing

/// Which private keys are read from PEM. The keys were made for this file and sign nothing.
@Suite struct PrivateKeyTests {
    private static let p256 = """
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLJAKC8VopOBbpclt367lFTaQFexSglbkRQeH5VEzU2ehRANC\
        AAQPaFT/G2JmCFY0LVLTxHf7wy5knsWPNgkFjxKifPJAdnSE059+bxRmRplJH/PBtxgkzyOmbgfhpMZt5xeDsYnA
        """
    private static let secp256k1 = """
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgqk2wSEiHIxoUXefhORBm8oBvruzwU9xPoKfWW3C5QjShRANCAAQh\
        z7vyHfLmT39vQe/bZKsK4JAcnPHHqyyb6kSRWisqQEibesA/9uG5WUhW4a1q6SAUc04ChUPrmby9P58yWe6f
        """
    private static let brainpool = """
        MIGIAgEAMBQGByqGSM49AgEGCSskAwMCCAEBBwRtMGsCAQEEII6sgtU7ZvmssJlR6kOFGbvaicHUj7VH9jKc9jdb43RHoUQD\
        QgAESGZyrRm1i0znBjBS4f0MhNoLIknjCwBt5lXcxNZlkQdv71VjC/U0XIgPQaEQ/Nmxdmo++oArRB7T095NdJ69nQ==
        """
    private static let shortRSA = """
        MIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEA4niFtCNILq42Ndzer2gioIbB50cLCifSOm/4x3YtXEnqMhth\
        Cu4b+WhMByn6ZMR8lGkV1uL9o3TVhcq7fPjgSwIDAQABAkB6SK+RO/fO1NyKqu9G8Ui5Oupacj7gxe27BhjjwsjtaivWdEXv\
        6jSsXE9NQywrNv2P6mInFqTd6fmxIfSg/z9BAiEA8Wl/FEbZFLiuLzIP8lcdiuKe8pvQjDuwqZJv01hzfSsCIQDwJ+SEWlg7\
        DbQh3t8tZrSEa9AKUdUlqlvvgd20X9fZYQIhALY5WLg4hlHS2YA8fLcDtQQJ7crZfIDt6XsGUyyn3n0DAiBwW9m4aqR5DJJI\
        foOgNDsk8WQmT98PfkMBLZtStrzAQQIhANLsL7EhsqoyjmSpvFabTMGDJAgTmGSVnpDtbN92Bxzu
        """

    private func read(_ base64: String) throws -> PrivateKey {
        let label = ["PRIVATE", "KEY"].joined(separator: " ")
        return try PrivateKey(pem: Array("-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n".utf8))
    }

    @Test func aNamedCurve() throws {
        #expect(try read(Self.p256).publicKey.kind == .ec(.p256))
    }

    /// Keys of the size of P-256 on other curves, and an RSA key too short to be one.
    @Test(arguments: [secp256k1, brainpool, shortRSA])
    func refused(_ base64: String) {
        #expect {
            _ = try read(base64)
        } throws: { error in
            guard let error = error as? CryptoError else { return false }
            return error.reason == .invalidKey && error.detail.hasPrefix("neither")
        }
    }

    private static let makers: [@Sendable () throws -> PrivateKey] = [
        { try TestKeys.rsa.get() }, { try .generateEC(.p256) }, { try .generateEC(.p384) }, { try .generateEC(.p521) },
        { try .generateEd25519() },
    ]

    @Test(arguments: makers.indices)
    func writtenAndReadAgain(_ index: Int) throws {
        let key = try Self.makers[index]()
        let pem = try key.pem()
        let label = ["PRIVATE", "KEY"].joined(separator: " ")
        #expect(pem.starts(with: "-----BEGIN \(label)-----\n".utf8), "PKCS#8, not an older form")
        #expect(pem.last == 0x0A)
        let copy = try PrivateKey(pem: pem)
        #expect(try copy.publicKey.material() == key.publicKey.material())
        #expect(try copy.pem() == pem)
    }
}
