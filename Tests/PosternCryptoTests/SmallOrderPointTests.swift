import PosternBase
import PosternCrypto
import Testing

@Suite struct SmallOrderPointTests {
    /// The y coordinates of the eight points, computed from the curve equation, and those that come back by the prime.
    private static let coordinates = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test(arguments: coordinates, [UInt8(0), 0x80])
    func refused(_ coordinate: String, _ sign: UInt8) throws {
        var key = try #require(Hex.decode(coordinate))
        key[31] |= sign
        var fault: PublicKey.ImportFault?
        do throws(PublicKey.ImportFault) { _ = try PublicKey.ed25519(key) } catch { fault = error }
        guard case .weak? = fault else {
            Issue.record("\(coordinate) was not refused as weak")
            return
        }
    }

    @Test func ordinaryKeysAreTaken() throws {
        for _ in 0..<100 {
            guard case .ed25519(let key) = try PrivateKey.generateEd25519().publicKey.material() else { return }
            _ = try PublicKey.ed25519(key)
        }
    }
}
