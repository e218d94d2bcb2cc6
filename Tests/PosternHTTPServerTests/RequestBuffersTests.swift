import PosternHTTP
import Testing

@testable import PosternHTTPServer

@Suite struct RequestBuffersTests {
    private func key(_ user: UInt32, _ listener: Int = 0) -> PeerKey {
        PeerKey(.process(user: user, group: 0, process: 1), listener: listener)
    }

    /// Two listeners: each has 2,000,000 bytes for heads, 6,000,000 for bodies, 8,000,000 for answers; a peer a quarter.
    private func buffers() -> RequestBuffers {
        var limits = ServerLimits()
        limits.bufferedBytes = 16_000_000
        return RequestBuffers(limits, listeners: 2)
    }

    @Test(arguments: [(0, 2_000_000), (1, 6_000_000), (2, 8_000_000)])
    func aPeerHasAQuarterAndAListenerAll(kind: Int, share: Int) {
        let buffers = buffers()
        var amount = RequestBuffers.Amount.zero
        amount[kind] = share / 4
        var more = amount
        more[kind] += 1
        for user in UInt32(1)...4 {
            // Half, and then one byte more than a quarter.
            var half = amount
            half[kind] /= 2
            #expect(buffers.change(key(user), from: .zero, to: half))
            #expect(!buffers.change(key(user), from: .zero, to: more &- half))
            #expect(buffers.change(key(user), from: half, to: amount))
        }
        #expect(buffers.heldBytes == share)
        // The share of the listener is full, for whoever comes.
        var one = RequestBuffers.Amount.zero
        one[kind] = 1
        #expect(!buffers.change(key(5), from: .zero, to: one))
        #expect(buffers.change(key(5, 1), from: .zero, to: one))
        #expect(buffers.change(key(1), from: amount, to: .zero))
        #expect(buffers.change(key(5), from: .zero, to: one))
        #expect(buffers.heldBytes == share - share / 4 + 2)
    }

    /// However small the shares are, the largest request fits while its peer has nothing else, and an answer that is there may
    /// wait to be taken.
    @Test func oneAlwaysFits() {
        var limits = ServerLimits()
        limits.bufferedBytes = 65_536
        limits.bodyBytes = 40_000
        let buffers = RequestBuffers(limits, listeners: 1)
        #expect(buffers.change(key(1), from: .zero, to: [0, 40_000, 0]))
        #expect(buffers.change(key(1), from: [0, 40_000, 0], to: [0, 0, 1_000_000]))
        #expect(!buffers.change(key(1), from: .zero, to: [0, 0, 1]))
        #expect(!buffers.change(key(2), from: .zero, to: [0, 0, 1]))
        #expect(buffers.change(key(1), from: [0, 0, 1_000_000], to: .zero))
        #expect(buffers.change(key(2), from: .zero, to: [0, 0, 1]))
    }

    @Test(arguments: [
        ("127.0.0.1", "127.9.9.9", true), ("127.0.0.1", "::1", true), ("127.0.0.1", "128.0.0.1", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("2001:db8::1", "2001:db8::2:3:4:5", true), ("2001:db8::1", "2001:db8:0:1::1", false), ("::1", "::2", false),
    ])
    func whoIsCountedAsOne(left: String, right: String, isSame: Bool) {
        let keys = [left, right].map { PeerKey(.address($0, port: 1), listener: 0) }
        #expect((keys[0] == keys[1]) == isSame)
        #expect(keys[0] != PeerKey(.address(left, port: 1), listener: 1))
    }

    /// What a flood takes at one listener is not missed at another, whoever comes there.
    @Test func placesOfAPeerAreCountedByListener() {
        var limits = ServerLimits()
        limits.connections = 200
        limits.connectionsPerPeer = 10
        let gate = ConnectionGate(limits, listeners: 2)
        let addresses = (1...20).map { Peer.address("127.0.0.\($0)", port: 1) }
        let inside = addresses.compactMap { gate.enter($0, listener: 0) }
        #expect(inside.count == 10)
        #expect(gate.enter(addresses[0], listener: 1) != nil)
        gate.leave(inside[0])
        #expect(gate.enter(addresses[19], listener: 0) != nil)
        #expect(gate.enter(addresses[19], listener: 0) == nil)
    }
}
