/// Knows RSA moduli made by the generator of CVE-2017-15361 ("ROCA"), whose private keys can be computed.
///
/// Its primes have the form k·M + (65537^a mod M) with M a product of small primes, so the modulus is a power of 65537
/// modulo each of them. A modulus of another generator passes all of these tests with a chance of about 2^-27.
enum FlawedGenerator {
    private static let primes: [UInt32] = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
        113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ]

    /// For each prime the residues that 65537 generates.
    private static let subgroups: [Set<UInt32>] = primes.map { prime in
        var residues: Set<UInt32> = []
        var power: UInt32 = 1
        while residues.insert(power).inserted { power = power * (65537 % prime) % prime }
        return residues
    }

    static func made(_ modulus: [UInt8]) -> Bool {
        zip(primes, subgroups).allSatisfy { prime, subgroup in
            subgroup.contains(modulus.reduce(UInt32(0)) { ($0 << 8 | UInt32($1)) % prime })
        }
    }
}
