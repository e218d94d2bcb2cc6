import PosternCrypto
import Testing

/// PEM that holds something else than a plain private key. The texts were made for this file and open nothing.
@Suite struct OtherPEMTests {
    private static let encrypted = """
        MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjKS+zLSJU8xAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEDIrqpW7Sh+dIDjrKQnCz5gEQNhK
        Z2Ez5w8TGy+HK+Tcl66QcRFxWRvjd1E4v8C7z6M+hnO/k3ivuc6hXlg2TBvqXbWL
        pOtpxK7+OroHLWiUMNM=
        """
    private static let publicKey = "MCowBQYDK2VwAyEAtoZ3w3Lld5v/WM7Rd2EZko/6uP8qSATaQANaEMWVHJs="

    private func pem(_ label: String, _ base64: String) -> [UInt8] {
        Array("-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n".utf8)
    }

    /// Refused at once: nobody is asked for a password.
    @Test func anEncryptedKey() {
        #expect(throws: CryptoError.self) { try PrivateKey(pem: pem("ENCRYPTED PRIVATE KEY", Self.encrypted)) }
    }

    @Test(arguments: ["PUBLIC KEY", "CERTIFICATE", "RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY"])
    func aPublicKey(_ label: String) {
        #expect(throws: CryptoError.self) { try PrivateKey(pem: pem(label, Self.publicKey)) }
    }
}
