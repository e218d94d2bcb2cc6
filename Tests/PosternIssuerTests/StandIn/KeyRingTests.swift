import PosternJOSE
import PosternTestSupport
import Testing

@testable import PosternIssuer

@Suite struct KeyRingTests {
    private func key(_ name: String) throws -> MintingKey {
        try MintingKey(TestKeys.p256.get(), .es256, keyID: name)
    }

    @Test func formerKeysStayForAWhile() throws {
        var ring = KeyRing(try key("0"))
        for number in 1...5 { ring.rotate(to: try key("\(number)"), keepingFormer: true) }
        #expect(ring.names == ["5", "4", "3", "2"])
        #expect(ring.current.keyID == "5")
        let set = try KeySet(ring.document())
        #expect(set.usable.compactMap(\.keyID) == ["5", "4", "3", "2"])
        ring.rotate(to: try key("6"), keepingFormer: false)
        #expect(ring.names == ["6"])
    }

    @Test func whatIsSetAsideIsNotPublished() throws {
        var ring = KeyRing(try key("0"))
        ring.setAside(try key("1"))
        #expect(ring.names == ["0"])
        #expect(try KeySet(ring.document()).usable.count == 1)
        #expect(try KeySet(KeyRing.emptyDocument).usable.isEmpty)
    }
}
