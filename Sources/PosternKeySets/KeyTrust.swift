internal import Glibc
internal import PosternBase
internal import PosternCrypto
package import PosternTokens

/// On whose word a set was fetched, as it is written down beside a copy: what came on the word of some authorities must not
/// serve those who trust others.
package enum KeyTrust {
    /// The largest file of authorities that is looked at, in bytes.
    package static let largestAuthorities = 16 << 20
    /// The word of an HTTP client that is not ours.
    static let customClient = "custom client"

    /// Nil when SHA-256 is not to be had.
    package static func name(ofAuthorities bytes: [UInt8]) -> String? {
        sha256(bytes).map { "authorities \($0)" }
    }

    /// The same of a file. Throws `ConfigurationError` when it cannot be read.
    package static func name(ofAuthoritiesIn path: String) throws(ConfigurationError) -> String {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try FileDescriptor(path, O_RDONLY | O_NONBLOCK).read(upTo: largestAuthorities + 1)
        } catch {
            throw ConfigurationError("The file of authorities \(Excerpt.quote(path)) cannot be read: \(error.text).")
        }
        guard bytes.count <= largestAuthorities, let name = name(ofAuthorities: bytes) else {
            throw ConfigurationError("The file of authorities \(Excerpt.quote(path)) is too large.")
        }
        return name
    }

    static func sha256(_ bytes: [UInt8]) -> String? {
        (try? HashAlgorithm.sha256.digest(of: bytes)).map { Hex.encode($0) }
    }
}
