import PosternBase
import PosternCrypto
import Testing

/// Expected values were computed with Python's hashlib.
@Suite struct HashAlgorithmTests {
    private static let thousand = [UInt8](repeating: 0x61, count: 1000)
    private static let everyByte = Array(UInt8.min ... .max)

    @Test(
        arguments: [
            (.sha256, [], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (
                .sha384, [],
                "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"
            ),
            (
                .sha512, [],
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
            (.sha256, thousand, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
            (
                .sha384, thousand,
                "f54480689c6b0b11d0303285d9a81b21a93bca6ba5a1b4472765dca4da45ee328082d469c650cd3b61b16d3266ab8ced"
            ),
            (
                .sha512, thousand,
                "67ba5535a46e3f86dbfbed8cbbaf0125c76ed549ff8b0b9e03e0c88cf90fa634"
                    + "fa7b12b47d77b694de488ace8d9a65967dc96df599727d3292a8d9d447709c97"
            ),
            (.sha256, everyByte, "40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880"),
            (
                .sha384, everyByte,
                "ffdaebff65ed05cf400f0221c4ccfb4b2104fb6a51f87e40be6c4309386bfdec2892e9179b34632331a59592737db5c5"
            ),
            (
                .sha512, everyByte,
                "1e7b80bc8edc552c8feeb2780e111477e5bc70465fac1a77b29b35980c3f0ce4"
                    + "a036a6c9462036824bd56801e62af7e9feba5c22ed8a5af877bf7de117dcac6d"
            ),
        ] as [(HashAlgorithm, [UInt8], String)])
    func digests(_ hash: HashAlgorithm, _ bytes: [UInt8], _ expected: String) throws {
        let digest = try hash.digest(of: bytes)
        #expect(Hex.encode(digest) == expected)
        #expect(digest.count == hash.byteCount)
    }

    @Test(arguments: HashAlgorithm.allCases)
    func staysInsideItsRoom(_ hash: HashAlgorithm) throws {
        var room = [UInt8](repeating: 0xEE, count: hash.byteCount + 8)
        let done = room.withUnsafeMutableBufferPointer { room in
            Self.everyByte.withUnsafeBufferPointer { bytes in
                (
                    hash.write(digestOf: bytes, to: room),
                    hash.write(digestOf: bytes, to: UnsafeMutableBufferPointer(rebasing: room[..<(hash.byteCount - 1)]))
                )
            }
        }
        #expect(done == (true, false))
        #expect(try Array(room) == hash.digest(of: Self.everyByte) + [UInt8](repeating: 0xEE, count: 8))
    }
}
