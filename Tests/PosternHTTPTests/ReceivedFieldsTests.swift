import PosternHTTP
import Testing

@Suite struct ReceivedFieldsTests {
    private let fields: ReceivedFields = {
        var fields = HTTP.Fields()
        fields.append("Accept", "text/plain")
        fields.append("X-Request-Id", "a")
        fields.append("accept", "text/html")
        return ReceivedFields(fields)
    }()

    @Test func findsLinesWithoutRegardToCase() {
        #expect(fields.values("ACCEPT") == ["text/plain", "text/html"])
        #expect(fields.single("x-request-ID") == "a")
        #expect(fields.count("Accept") == 2)
    }

    @Test func severalLinesAreNotOne() { #expect(fields.single("accept") == nil) }

    /// The Kelvin sign is no K and an underscore no hyphen.
    @Test(arguments: ["x-re\u{212A}uest-id", "x_request_id", "x-request-i", "x-request-idd", ""])
    func otherNamesAreNotFound(name: String) {
        #expect(fields.values(name).isEmpty)
        #expect(fields.single(name) == nil)
        #expect(fields.count(name) == 0)
    }

    @Test func bytesThatAreNoTextAreReplaced() {
        let fields = ReceivedFields([0x61, 0xFF, 0x62], [ReceivedFields.Line(name: 0..<1, value: 1..<3)])
        #expect(fields.single("A") == "\u{FFFD}b")
    }
}
