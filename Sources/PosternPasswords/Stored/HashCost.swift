/// What a stored hash may cost, about a second of one core at most and memory for one hash a thread. What costs more is refused where it
/// comes in, before it is ever computed: one such hash would hold up everybody's sign-in.
package enum HashCost {
    /// 128 MiB.
    package static let memoryBytes = 134_217_728

    package static let argon2MemoryKiB = 8...131_072
    package static let argon2Passes = 1...1_048_576 / 8
    package static let argon2Lanes = 1...255
    /// KiB times passes: 1 GiB.
    package static let argon2Work = 1_048_576
    package static let bcryptLogRounds = 4...14
    /// Bytes times p, where one of 128 MiB may be gone through twice.
    package static let scryptWorkBytes = 2 * memoryBytes
    package static let scryptLogCost = 1...20
    package static let scryptFactor = 1...1_024
    /// What r times p blocks of 128 bytes have, which is hashed twice besides.
    package static let scryptBlockBytes = 8_388_608
    /// Iterations times digests that make up the key, where SHA-512 counts twice.
    package static let pbkdf2Work = 2_000_000
}
