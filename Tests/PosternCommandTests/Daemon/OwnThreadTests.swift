import Foundation
import Testing

@Suite(.onAThreadOfItsOwn) struct OwnThreadTests {
    private func name() throws -> String {
        try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    @Test func testsThatBlockDoSoThere() throws { #expect(try name() == "test") }

    @Test(arguments: [1, 2])
    func alsoThoseThatWait(number: Int) async throws {
        #expect(try name() == "test")
        try await Task.sleep(for: .milliseconds(number))
        #expect(try name() == "test")
    }
}
