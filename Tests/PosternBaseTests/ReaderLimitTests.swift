import PosternBase
import Testing

/// The readers called without a bound on size: nothing traps, and no work grows faster than the input.
@Suite struct ReaderLimitTests {
    private func reason(_ bytes: [UInt8]) -> JSONError.Reason? {
        do throws(JSONError) {
            _ = try JSONDocument(bytes)
            return nil
        } catch {
            return error.reason
        }
    }

    private func reason(_ text: String) -> JSONError.Reason? { reason(Array(text.utf8)) }

    @Test func aHundredThousandBrackets() {
        #expect(reason(String(repeating: "[", count: 100_000)) == .tooDeep)
        #expect(reason(String(repeating: "{\"a\":", count: 100_000)) == .tooDeep)
    }

    @Test(arguments: 0...40)
    func depth(_ count: Int) {
        let open = String(repeating: "[", count: count)
        let close = String(repeating: "]", count: count)
        let expected: JSONError.Reason? = count > 32 ? .tooDeep : nil
        #expect(reason(open + "1" + close) == expected)
        if count <= 32 { #expect(reason(open) == (count == 0 ? .empty : .unexpectedEnd)) }
    }

    /// Dense texts need the longer tape.
    @Test func denseArrays() throws {
        for count in [1, 2, 8, 9, 17, 1000, 100_000] {
            let text = "[" + String(repeating: "1,", count: count - 1) + "1]"
            #expect(try JSONDocument(text).root.elements?.count == count)
        }
    }

    @Test func aMillionMembers() throws {
        var text = "{"
        for number in 0..<1_000_000 { text += "\"\(number)\":0," }
        #expect(reason(text + "\"last\":0}") == nil)
        #expect(reason(text + "\"999999\":0}") == .duplicateName)
        #expect(reason(text + "\"\\u0030\":0}") == .duplicateName)
    }

    /// The reader looks at eight bytes at a time: a special byte is seen at every place.
    @Test(arguments: 0...40)
    func specialBytesAtEveryPlace(_ place: Int) throws {
        let before = String(repeating: "x", count: place)
        for after in ["", "y", "yyyyyyyyyyyyyyyyyyyyyyyy"] {
            #expect(try JSONDocument("\"\(before)\\n\(after)\"").root.string == "\(before)\n\(after)")
            #expect(try JSONDocument("\"\(before)\u{E9}\(after)\"").root.string == "\(before)\u{E9}\(after)")
            #expect(try JSONDocument("\"\(before)\(after)\"").root.string == "\(before)\(after)")
            #expect(reason("\"\(before)\"\(after)") == (after.isEmpty ? nil : .trailingBytes))
            for control: UInt8 in [0x00, 0x01, 0x1F] {
                let bytes = Array("\"\(before)".utf8) + [control] + Array("\(after)\"".utf8)
                #expect(reason(bytes) == .controlCharacter)
            }
            for byte: UInt8 in [0x80, 0xBF, 0xC0, 0xC1, 0xF5, 0xFF] {
                let bytes = Array("\"\(before)".utf8) + [byte] + Array("\(after)\"".utf8)
                #expect(reason(bytes) == .invalidUTF8)
            }
        }
    }

    @Test func everyPrefixOfATokenIsReadWithoutATrap() {
        let text = Array(#"{"a":[1,-2.5e+3,true,false,null,"\u00e9\ud83d\ude00",{"b":""}],"c":"é"}"#.utf8)
        for end in 0..<text.count { #expect(reason(Array(text[..<end])) != nil) }
        #expect(reason(text) == nil)
        for place in text.indices {
            for byte in [UInt8(0), 0x22, 0x5C, 0x7B, 0x80, 0xFF] {
                var altered = text
                altered[place] = byte
                _ = reason(altered)
            }
        }
    }
}
