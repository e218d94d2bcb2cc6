import Foundation
import PosternCrypto
import PosternTestSupport
import Testing

@Suite struct CertificateFileTests {
    private static func count(_ text: String) -> [String] {
        let (certificates, isWhole) = CertificateFile.count(pem: Array(text.utf8))
        return ["\(certificates)", "\(isWhole)"]
    }

    @Test func certificatesAreCounted() throws {
        let one = try String(contentsOfFile: TestServer.shared.get().caFile, encoding: .utf8)
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        #expect(Self.count(one) == ["1", "true"])
        #expect(Self.count("# words\n\(one)\n\(one)more words") == ["2", "true"])
        #expect(Self.count(one + broken + one) == ["1", "false"])
        for nothing in ["", "words", "\0"] { #expect(Self.count(nothing) == ["0", "true"]) }
        #expect(Self.count("-----BEGIN CERTIFICATE-----\n") == ["0", "false"])
    }

    @Test func theLibraryIsKnown() {
        #expect(CryptoLibrary.isSupported)
        #expect(CryptoLibrary.version.hasPrefix("OpenSSL 3."))
    }
}
