internal import PosternCrypto

extension HashAlgorithm {
    /// The digest over byte strings, each after its length, so that no two lists are one.
    func digest(ofEach parts: [[UInt8]]) throws(CryptoError) -> [UInt8] {
        try digest(of: parts.flatMap { Int64($0.count).bytes + $0 })
    }
}
