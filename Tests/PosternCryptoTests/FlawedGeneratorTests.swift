import PosternCrypto
import Testing

/// Moduli as the generator of CVE-2017-15361 makes them, up to a multiple of M: 65537^a + M · 256^j.
@Suite struct FlawedGeneratorTests {
    /// Little-endian, so that places line up.
    private func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var carry = 0
        for place in 0..<max(left.count, right.count) {
            let digits = (place < left.count ? Int(left[place]) : 0) + (place < right.count ? Int(right[place]) : 0)
            result.append(UInt8((digits + carry) & 0xFF))
            carry = (digits + carry) >> 8
        }
        return carry > 0 ? result + [UInt8(carry)] : result
    }

    private func product(_ number: [UInt8], _ factor: Int) -> [UInt8] {
        var result: [UInt8] = []
        var carry = 0
        for digit in number {
            carry += Int(digit) * factor
            result.append(UInt8(carry & 0xFF))
            carry >>= 8
        }
        while carry > 0 {
            result.append(UInt8(carry & 0xFF))
            carry >>= 8
        }
        return result
    }

    private func modulus(power: Int, shift: Int) -> [UInt8] {
        let primes = (2...167).filter { number in !(2..<number).contains { number % $0 == 0 } }
        let base = primes.reduce([UInt8(1)]) { product($0, $1) }
        let residue = (0..<power).reduce([UInt8(1)]) { number, _ in sum([0, 0] + number, number) }
        return sum([UInt8](repeating: 0, count: shift) + base, residue)
    }

    private func fault(_ modulus: [UInt8]) -> PublicKey.ImportFault? {
        do throws(PublicKey.ImportFault) {
            _ = try PublicKey.rsa(modulus: modulus.reversed(), exponent: [1, 0, 1])
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [(3, 229), (17, 230), (60, 300), (100, 485), (128, 600)])
    func refused(_ power: Int, _ shift: Int) throws {
        let modulus = modulus(power: power, shift: shift)
        guard case .weak(let detail)? = fault(modulus) else {
            Issue.record("taken")
            return
        }
        #expect(detail.contains("CVE-2017-15361"))
        // Its neighbours are of no such form; whether they are keys is another question.
        for distance in [2, 4, 254] as [UInt8] {
            if case .weak(let detail)? = fault(sum(modulus, [distance])) { Issue.record("\(detail)") }
        }
    }

    @Test func honestKeysAreTaken() throws {
        for _ in 0..<3 {
            guard case .rsa(let modulus, _) = try PrivateKey.generateRSA(bits: 2048).publicKey.material() else {
                return
            }
            #expect(fault(modulus.reversed()) == nil)
        }
    }
}
