import Testing

/// The log takes words of our own, and what is not one does not compile.
@Suite struct LogLeakTests {
    private static let start = """
        import PosternBase
        let token = "secret"
        let good: LogValue = "literal"
        let line = LogEvent("a", .info, ["b"], "c").line(time: "", [("b", good), ("b", 5), ("b", .number(token.count))])
        let told: LogValue = .text(token, from: .ownWords)

        """

    /// A token, a nonce or any other text is no value of the log, however it is put.
    @Test func whatCouldLeakDoesNotCompile() throws {
        let compiler = try SwiftCompiler()
        func complaint(_ line: String) throws -> String {
            try compiler.complaint(about: [("leak.swift", Self.start + line + "\n")], inPackage: true)
        }
        let none = try complaint("")
        #expect(none.isEmpty, "\(none)")
        // It is this line that is refused, not what stands before it.
        let place = "leak.swift:\(Self.start.split(separator: "\n", omittingEmptySubsequences: false).count):"
        for leak in [
            "let a: LogValue = token", "let a: LogValue = \"\\(token)\"", "let a = LogValue(token)",
            "let a = LogValue(stringLiteral: token)", "let a: LogValue = .word(token)",
            "let a: LogValue = .text(token)", "let a: LogValue = .number(token)", "let a: LogValue = .list([token])",
            "let a = LogEvent(\"a\", .info, [], \"b\").line(time: \"\", [(\"b\", token)])",
            "let a = LogEvent(\"a\", .info, [], \"b\").line(time: \"\", [(\"\\(token)\", 1)])",
            "let a: LogValue = .text(Secret(token), from: .ownWords)", "let a: String = Secret(token)",
        ] {
            let refusal = try complaint(leak)
            #expect(refusal.contains(place) && refusal.contains("error: "), "\(leak): \(refusal)")
        }
    }
}
