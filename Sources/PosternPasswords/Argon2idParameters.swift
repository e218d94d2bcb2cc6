/// What one of our own hashes costs.
package struct Argon2idParameters: Sendable, Equatable {
    /// In steps of 1024 bytes.
    package let memoryKiB: Int
    package let passes: Int

    /// 19 MiB twice.
    package static let standard = Argon2idParameters(unchecked: 19_456, 2)
    /// The least that there is, which protects nothing: for tests.
    package static let least = Argon2idParameters(unchecked: 8, 1)

    /// Nil beyond what a hash may cost at all (`HashCost`): a server would refuse its own hashes.
    package init?(memoryKiB: Int, passes: Int) {
        guard HashCost.argon2MemoryKiB.contains(memoryKiB), HashCost.argon2Passes.contains(passes),
            memoryKiB * passes <= HashCost.argon2Work
        else { return nil }
        self.init(unchecked: memoryKiB, passes)
    }

    private init(unchecked memoryKiB: Int, _ passes: Int) {
        self.memoryKiB = memoryKiB
        self.passes = passes
    }
}
