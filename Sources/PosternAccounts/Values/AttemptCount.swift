/// How many tries somebody has left, as a bucket that fills again with time.
package struct AttemptCount: Sendable, Equatable {
    /// HMAC under a key of ours over what is counted and of whom, so that a store names no address that was typed.
    package let name: [UInt8]
    /// Tries taken, in thousandths, as of `countedAt`.
    package var taken: Int64
    package var countedAt: Int64
    /// All tries are back at this second, and the row says nothing any more.
    package var expiresAt: Int64

    package init(name: [UInt8], taken: Int64, countedAt: Int64, expiresAt: Int64) {
        self.name = name
        self.taken = taken
        self.countedAt = countedAt
        self.expiresAt = expiresAt
    }
}
