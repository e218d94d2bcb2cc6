import Testing

@testable import PosternIssuer

@Suite struct ExpiringStoreTests {
    @Test func nothingOutlivesItsTime() {
        var store = ExpiringStore<Int>(capacity: 3, lifetime: 10)
        store.put(1, under: "a", at: 100)
        #expect(store.value("a", at: 109) == 1)
        #expect(store.value("a", at: 110) == nil)
        store.replace("a", with: 2)
        #expect(store.value("a", at: 109) == 2)
        #expect(store.value("a", at: 110) == nil)
        store.put(3, under: "b", at: 110)
        #expect(store.count == 1)
    }

    @Test func whatIsTakenIsGone() {
        var store = ExpiringStore<Int>(capacity: 3, lifetime: 10)
        store.put(1, under: "K", at: 0)
        #expect(store.take("\u{212A}", at: 0) == nil)
        #expect(store.take("K", at: 0) == 1)
        #expect(store.take("K", at: 0) == nil)
        store.replace("K", with: 2)
        #expect(store.count == 0)
    }

    @Test func theOldestGoesFirst() {
        var store = ExpiringStore<Int>(capacity: 3, lifetime: 10)
        for number in 0..<4 { store.put(number, under: "\(number)", at: 0) }
        #expect(store.value("0", at: 0) == nil)
        #expect((1..<4).map { store.value("\($0)", at: 0) } == [1, 2, 3])
        #expect(store.take("2", at: 0) == 2)
        store.put(4, under: "4", at: 0)
        #expect(store.value("1", at: 0) == 1)
        for number in 5..<500 {
            store.put(number, under: "\(number)", at: 0)
            #expect(store.take("\(number)", at: 0) == number)
        }
        #expect(store.count <= 3)
    }
}
