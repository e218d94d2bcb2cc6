import PosternBase
import Testing

@Suite struct LogEventTests {
    private enum Word: String, LogWord { case one = "word_one" }

    private static let event = LogEvent(
        "something", .warning, ["a", "b", "c", "d", "e", "f"], "something happened")

    @Test func aLine() {
        let line = Self.event.line(
            time: "2026-01-02T03:04:05.678Z",
            [
                ("a", "literal"), ("b", .number(UInt64.max)), ("c", .word(Word.one)), ("d", .flag(true)),
                ("e", .list(["x", 5])), ("f", .text("line\n\"end\"", from: .settings)),
            ])
        #expect(
            line
                == #"{"time":"2026-01-02T03:04:05.678Z","level":"warning","event":"something","a":"literal","#
                + #""b":9223372036854775807,"c":"word_one","d":true,"e":["x",5],"f":"line\n\"end\""}"# + "\n")
        #expect(line.utf8.filter { $0 == 0x0A }.count == 1)
    }

    /// What an event is not said to have does not come with it.
    @Test func otherMembersAreLeftOut() {
        let line = Self.event.line(time: "t", [("token", "x"), ("a", 1), ("time", "y"), ("", "z")])
        #expect(line == #"{"time":"t","level":"warning","event":"something","a":1}"# + "\n")
    }

    @Test func levelsAreInOrder() {
        #expect(LogLevel.allCases.sorted() == [.info, .warning, .error])
        #expect(LogLevel.info < .error && !(LogLevel.warning < .warning))
    }
}
