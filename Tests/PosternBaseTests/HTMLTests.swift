import PosternBase
import Testing

@Suite struct HTMLTests {
    @Test(arguments: [
        ("", ""), ("plain é 漢 🙂", "plain é 漢 🙂"), ("<script>", "&lt;script&gt;"), ("a&b;", "a&amp;b;"),
        ("&lt;", "&amp;lt;"), ("\" onclick='x' `", "&quot; onclick=&#39;x&#39; &#96;"),
        ("a\r\n\tb", "a&#13;&#10;&#9;b"),
        ("\u{0}\u{1F}\u{7F}\u{80}\u{9F}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{20}\u{7E}\u{A0}", " ~\u{A0}"),
        // One character for Swift, and yet a bracket for a browser.
        ("<\u{338}", "&lt;\u{338}"),
    ])
    func escaping(text: String, escaped: String) { #expect(HTML.escape(text) == escaped) }

    @Test func textsAreEscapedAndPiecesAreNot() {
        let text = "\"><b>"
        let none: HTML? = nil
        let piece: HTML = "<i>\(text)</i>"
        let whole: HTML = "<a href=\"\(text)\">\(piece)\(none)</a>"
        #expect(whole.source == "<a href=\"&quot;&gt;&lt;b&gt;\"><i>&quot;&gt;&lt;b&gt;</i></a>")
        #expect(HTML.joined([piece, piece]).source == piece.source + piece.source)
    }
}
