import Testing

@testable import PosternLoop

@Suite struct DeadlineHeapTests {
    @Test func givesTheEarliestFirst() {
        var heap = DeadlineHeap()
        var generator = SystemRandomNumberGenerator()
        let times = (0..<1_000).map { _ in UInt64.random(in: 0..<100, using: &generator) }
        for (number, time) in times.enumerated() { heap.insert(.init(time: time, token: UInt64(number))) }
        var found: [UInt64] = []
        while let entry = heap.removeFirst(notAfter: 100) { found.append(entry.time) }
        #expect(found == times.sorted())
        #expect(heap.count == 0)
    }

    @Test func keepsWhatIsLater() {
        var heap = DeadlineHeap()
        heap.insert(.init(time: 5, token: 1))
        #expect(heap.removeFirst(notAfter: 4) == nil)
        #expect(heap.first == 5)
        #expect(heap.removeFirst(notAfter: 5)?.token == 1)
        #expect(heap.removeFirst(notAfter: .max) == nil)
    }
}
