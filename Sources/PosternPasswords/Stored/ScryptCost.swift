/// N (as its binary logarithm), r and p of scrypt, within what they may cost.
package struct ScryptCost: Sendable, Equatable {
    package let logCost: Int
    package let blockSize: Int
    package let parallelism: Int

    init(_ logCost: Substring, _ blockSize: Substring, _ parallelism: Substring) throws(StoredHashFault) {
        self.logCost = try HashFields.number(logCost, "N", in: HashCost.scryptLogCost)
        self.blockSize = try HashFields.number(blockSize, "r", in: HashCost.scryptFactor)
        self.parallelism = try HashFields.number(parallelism, "p", in: HashCost.scryptFactor)
        // RFC 7914 section 2; OpenSSL refuses the others.
        guard self.logCost < 16 * self.blockSize else { throw .malformed("N is too large for r") }
        // Factors of at most 2^7, 2^20 and twice 2^10.
        let memory = 128 * (1 << self.logCost) * self.blockSize
        guard memory <= HashCost.memoryBytes else {
            throw .tooCostly("more than \(HashCost.memoryBytes) bytes of memory")
        }
        guard memory * self.parallelism <= HashCost.scryptWorkBytes,
            128 * self.blockSize * self.parallelism <= HashCost.scryptBlockBytes
        else { throw .tooCostly("N times r times p is too large") }
    }
}
