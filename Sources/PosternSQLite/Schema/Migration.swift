internal import PosternAccounts
internal import PosternCrypto

/// A step from one schema to the next. What has been released is never changed: a file remembers by its hash what was applied to it.
package struct Migration: Sendable {
    /// From 1 on, without gaps.
    package let version: Int64
    package let name: String
    /// Several statements; the last sets `user_version`.
    let script: StaticString

    package init(version: Int64, name: String, script: StaticString) {
        self.version = version
        self.name = name
        self.script = script
    }

    /// SHA-256 over the script.
    func hash() throws(StoreFault) -> [UInt8] { try Self.hash(script.withUTF8Buffer { Array($0) }) }

    static func hash(_ bytes: [UInt8]) throws(StoreFault) -> [UInt8] {
        do throws(CryptoError) {
            return try HashAlgorithm.sha256.digest(of: bytes)
        } catch {
            throw StoreFault(.unavailable, "SHA-256 failed in OpenSSL.")
        }
    }

    /// All that there are, the oldest first.
    package static let all = [first]
}
