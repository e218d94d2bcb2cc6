import PosternBase
import Testing

@Suite struct RandomSourceTests {
    @Test(arguments: [0, 1, 16, 32, 1000])
    func systemGivesAsManyAsAsked(_ count: Int) {
        #expect(RandomSource.system.bytes(count).count == count)
    }

    @Test func systemDoesNotRepeat() {
        let drawn = (0..<1000).map { _ in RandomSource.system.bytes(16) }
        #expect(Set(drawn).count == 1000)
        #expect(Set(drawn.joined()).count == 256)
    }

    @Test func ownSource() {
        #expect(RandomSource { [UInt8](repeating: 7, count: $0) }.bytes(3) == [7, 7, 7])
    }
}
