import PosternHTTP
import Testing

@Suite struct FormFieldsTests {
    private func read(_ text: String) -> [String]? {
        FormFields(Array(text.utf8))?.all.map { "\($0.name)→\($0.value)" }
    }

    @Test(arguments: [
        ("", []), ("a=1", ["a→1"]), ("a=1&b=2", ["a→1", "b→2"]), ("a=1&a=2", ["a→1", "a→2"]), ("a", ["a→"]),
        ("=x", ["→x"]),
        ("a=b=c", ["a→b=c"]), ("&&a=1&", ["a→1"]), ("a=%41%7e+x%20y", ["a→A~ x y"]), ("%61=%C3%A9", ["a→é"]),
        ("a=%00", ["a→\0"]),
    ])
    func wellFormed(text: String, fields: [String]) { #expect(read(text) == fields) }

    @Test(arguments: ["a=%", "a=%4", "a=%4g", "a=%g4", "%=x", "a=%FF", "a=%C3", "a=%C0%80", "a=%ED%A0%80"])
    func broken(text: String) { #expect(read(text) == nil) }

    @Test func bounds() {
        let part = Array(repeating: "a=1", count: FormFields.maximumCount)
        #expect(read(part.joined(separator: "&"))?.count == 64)
        #expect(read((part + ["a=1"]).joined(separator: "&")) == nil)
    }

    @Test func finding() throws {
        let fields = try #require(FormFields(Array("a=1&b=2&a=3&K=x".utf8)))
        #expect(fields["a"] == "1")
        #expect(fields["c"] == nil)
        // The Kelvin sign is a K to Swift's ==.
        #expect(fields["\u{212A}"] == nil)
        #expect(fields.repeated(among: ["b", "a"]) == "a")
        #expect(fields.repeated(among: ["b"]) == nil)
    }

    @Test(arguments: ["", "plain-._~", "a b+c&d=e%f", "é漢🙂", "\r\n\0"])
    func thereAndBack(text: String) throws {
        let encoded = FormFields.encode([("n&", text), ("m", "")])
        #expect(encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        let fields = try #require(FormFields(Array(encoded.utf8)))
        #expect(fields.all.map(\.name) == ["n&", "m"])
        #expect(fields["n&"] == text)
    }
}
