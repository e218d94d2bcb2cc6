import PosternBase
import PosternCrypto
import PosternTestSupport
import Testing

/// Keys that OpenSSL would take, and what import says of them.
@Suite struct KeyImportTests {
    private enum Outcome: String { case taken, weak, invalid }

    private func outcome(_ make: () throws(PublicKey.ImportFault) -> PublicKey) -> Outcome {
        do throws(PublicKey.ImportFault) {
            _ = try make()
            return .taken
        } catch {
            switch error {
            case .weak: return .weak
            case .invalid: return .invalid
            }
        }
    }

    private func modulus() throws -> [UInt8] {
        guard case .rsa(let modulus, _) = try TestKeys.rsa.get().publicKey.material() else { return [] }
        return modulus
    }

    /// An odd number of `bits` bits without small factors.
    private func number(ofBits bits: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0x5A, count: (bits + 7) / 8)
        bytes[0] = UInt8(1 << ((bits - 1) % 8))
        bytes[bytes.count - 1] |= 1
        while (3..<800).contains(where: { factor in bytes.reduce(0) { ($0 << 8 | Int($1)) % factor } == 0 }) {
            bytes[bytes.count - 1] &+= 2
            if bytes[bytes.count - 1] == 1 { bytes[bytes.count - 2] &+= 1 }
        }
        return bytes
    }

    @Test func exponents() throws {
        let modulus = try modulus()
        let long = [0x7F] + [UInt8](repeating: 0xFF, count: 255)
        let exponents: [([UInt8], Outcome)] = [
            ([1], .invalid), ([2], .invalid), ([3], .invalid), ([0x01, 0x00, 0x00], .invalid),
            ([0xFF, 0xFF], .invalid), ([0x01, 0x00, 0x01], .taken), ([0x01, 0x00, 0x03], .taken),
            ([0xFF, 0xFF, 0xFF, 0xFF], .taken), ([0x01, 0x00, 0x00, 0x00, 0x01], .invalid), (long, .invalid),
            ([], .invalid), ([0], .invalid), ([0, 1, 0, 1], .invalid), ([1, 0, 2], .invalid),
        ]
        for (exponent, expected) in exponents {
            #expect(
                outcome { () throws(PublicKey.ImportFault) in try .rsa(modulus: modulus, exponent: exponent) }
                    == expected)
        }
    }

    @Test(arguments: [
        (512, "weak"), (1024, "weak"), (2047, "weak"), (2048, "taken"), (2049, "taken"), (8192, "taken"),
        (8193, "weak"),
        (32_769, "weak"),
    ])
    func sizes(_ bits: Int, _ expected: String) {
        let modulus = number(ofBits: bits)
        #expect(
            outcome { () throws(PublicKey.ImportFault) in
                try .rsa(modulus: modulus, exponent: [1, 0, 1])
            }.rawValue == expected)
    }

    @Test func moduli() throws {
        let good = try modulus()
        var even = good
        even[even.count - 1] &= 0xFE
        for bad in [even, [0] + good, []] {
            #expect(
                outcome { () throws(PublicKey.ImportFault) in try .rsa(modulus: bad, exponent: [1, 0, 1]) } == .invalid)
        }
        // A power of 65537 modulo every small prime, as the flawed generator makes them: 65537 to the 128th.
        let flawed = [UInt8](repeating: 0, count: 1) + powerOf65537(128)
        #expect(
            outcome { () throws(PublicKey.ImportFault) in
                try .rsa(modulus: Array(flawed.drop { $0 == 0 }), exponent: [1, 0, 1])
            } == .weak)
    }

    private func powerOf65537(_ exponent: Int) -> [UInt8] {
        // n × 65537 = n × 65536 + n, in bytes from the end.
        var value: [UInt8] = [1]
        for _ in 0..<exponent {
            var result = value + [0, 0]
            var carry = 0
            for offset in 1...result.count {
                let place = result.count - offset
                let addend = value.count >= offset ? Int(value[value.count - offset]) : 0
                let sum = Int(result[place]) + addend + carry
                result[place] = UInt8(sum & 0xFF)
                carry = sum >> 8
            }
            value = carry > 0 ? [UInt8(carry)] + result : result
        }
        return value
    }

    @Test(arguments: Curve.allCases)
    func points(_ curve: Curve) throws {
        guard case .ec(_, let x, let y) = try PrivateKey.generateEC(curve).publicKey.material() else {
            Issue.record("no point")
            return
        }
        let width = curve.coordinateByteCount
        let zero = [UInt8](repeating: 0, count: width)
        var off = y
        off[width - 1] ^= 1
        let cases: [([UInt8], [UInt8], Outcome)] = [
            (x, y, .taken), (zero, zero, .invalid), (x, off, .invalid), (y, x, .invalid), ([0], [0], .invalid),
            ([0] + x, y, .invalid), (x, [0] + y, .invalid), (Array(x.dropFirst()), y, .invalid), ([], [], .invalid),
            ([UInt8](repeating: 0xFF, count: width), y, .invalid),
        ]
        for (x, y, expected) in cases {
            #expect(outcome { () throws(PublicKey.ImportFault) in try .ec(curve, x: x, y: y) } == expected)
        }
    }

    @Test func edwards() throws {
        guard case .ed25519(let x) = try TestKeys.ed25519.get().publicKey.material() else { return }
        for (octets, expected) in [
            (x, Outcome.taken), (Array(x.dropLast()), .invalid), (x + [0], .invalid), ([], .invalid),
        ] {
            #expect(outcome { () throws(PublicKey.ImportFault) in try .ed25519(octets) } == expected)
        }
    }

    @Test(arguments: ["", "garbage", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"])
    func pemThatIsNone(_ text: String) {
        #expect(throws: CryptoError.self) { try PrivateKey(pem: Array(text.utf8)) }
    }
}
