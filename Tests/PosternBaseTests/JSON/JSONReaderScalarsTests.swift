import PosternBase
import Testing

/// Strings and numbers as the reader takes them.
@Suite struct JSONReaderScalarsTests {
    // MARK: - Strings

    @Test(
        arguments: [
            (#""""#, []), (#""a""#, [0x61]), (#""\"\\\/\b\f\n\r\t""#, [0x22, 0x5C, 0x2F, 8, 12, 10, 13, 9]),
            (#""\u0000""#, [0]), (#""\u001F\u001f""#, [0x1F, 0x1F]), (#""\u00e9\u00E9""#, [0xC3, 0xA9, 0xC3, 0xA9]),
            (#""\uD7FF\uE000\uFFFF""#, [0xED, 0x9F, 0xBF, 0xEE, 0x80, 0x80, 0xEF, 0xBF, 0xBF]),
            (#""\ud83d\uDE00""#, [0xF0, 0x9F, 0x98, 0x80]),
            (#""\uD800\uDC00\uDBFF\uDFFF""#, [0xF0, 0x90, 0x80, 0x80, 0xF4, 0x8F, 0xBF, 0xBF]),
            (#""\\u0041""#, Array(#"\u0041"#.utf8)),
            ("\"\u{7F}\u{80}\u{2028}\"", [0x7F, 0xC2, 0x80, 0xE2, 0x80, 0xA8]),
            ("\"é語😀\u{10FFFF}\"", Array("é語😀\u{10FFFF}".utf8)),
        ] as [(String, [UInt8])])
    func strings(_ text: String, _ bytes: [UInt8]) throws {
        let value = try JSONDocument(text).root
        #expect(value.stringBytes == bytes)
        #expect(value.stringByteCount == bytes.count)
        #expect(value.text == text)
    }

    @Test(
        arguments: [
            ("\"", .unexpectedEnd), ("\"a", .unexpectedEnd), (#""\"#, .unexpectedEnd), (#""\""#, .unexpectedEnd),
            (#""\u"#, .unexpectedEnd), (#""\u00"#, .unexpectedEnd), (#""\u004""#, .invalidEscape),
            (#""\u004"#, .unexpectedEnd), (#""\a""#, .invalidEscape), (#""\'""#, .invalidEscape),
            (#""\x41""#, .invalidEscape),
            (#""\0""#, .invalidEscape), (#""\U0041""#, .invalidEscape), (#""\u{41}""#, .invalidEscape),
            (#""\u00g0""#, .invalidEscape), (#""\u-001""#, .invalidEscape), (#""\u+041""#, .invalidEscape),
            (#""\u 041""#, .invalidEscape), ("\"\\\n\"", .invalidEscape), (#""\é""#, .invalidEscape),
            (#""\ud800""#, .loneSurrogate), (#""\uDBFF""#, .loneSurrogate), (#""\uDC00""#, .loneSurrogate),
            (#""\uDFFF\uD800""#, .loneSurrogate), (#""\ud800\ud800""#, .loneSurrogate),
            (#""\ud800\u0041""#, .loneSurrogate),
            (#""\ud800\uE000""#, .loneSurrogate), (#""\ud800\n""#, .loneSurrogate),
            (#""\ud800x\udc00""#, .loneSurrogate),
            (#""\ud83d\uDE0""#, .invalidEscape), (#""\ud83d\uDE0"#, .unexpectedEnd), (#""\ud83d\u"#, .unexpectedEnd),
            (#""\ud83d\"#, .loneSurrogate), (#""\ud83d"#, .loneSurrogate), (#""\ud83d\uZZZZ""#, .invalidEscape),
        ] as [(String, JSONError.Reason)])
    func refusedStrings(_ text: String, _ reason: JSONError.Reason) {
        #expect(refusal(of: text) == reason)
        #expect(refusal(of: "{\(text)") == reason, "as a name")
    }

    @Test func rawControlCharacters() {
        for byte in UInt8.min ... .max where byte < 0x80 && byte != 0x22 && byte != 0x5C {
            #expect(refusal(of: [0x22, byte, 0x22]) == (byte < 0x20 ? .controlCharacter : nil))
        }
    }

    /// Every first pair of bytes above ASCII with every kind of continuation, judged by Swift's own decoder.
    @Test func utf8() {
        let tails: [[UInt8]] = [
            [], [0x7F], [0x80], [0xBF], [0xC0], [0x80, 0x80], [0x80, 0x7F], [0xBF, 0xC0], [0xBF, 0xBF],
        ]
        var wrong: [[UInt8]] = []
        for first in UInt8(0x80) ... .max {
            for second in UInt8(0x20) ... .max where second != 0x22 && second != 0x5C {
                for tail in tails {
                    let content = [first, second] + tail
                    let isUTF8 = String(validating: content, as: UTF8.self) != nil
                    if refusal(of: [0x22] + content + [0x22]) != (isUTF8 ? nil : .invalidUTF8) { wrong.append(content) }
                }
            }
            #expect(refusal(of: [0x22, first, 0x22]) == .invalidUTF8)
            #expect(refusal(of: [0x22, first]) == .invalidUTF8)
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xFC, 0x80, 0x80, 0x80, 0x80, 0x80],
            [0x80], [0xBF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x28],
        ] as [[UInt8]])
    func notUTF8(_ content: [UInt8]) {
        #expect(refusal(of: [0x22] + content + [0x22]) == .invalidUTF8)
        #expect(refusal(of: [0x22] + content) == .invalidUTF8, "at the end of the text")
    }

    /// The reader passes over eight plain bytes at a time, then over sixteen: what ends a run is seen at each place within them.
    @Test(arguments: 0...40)
    func specialByteAt(_ offset: Int) throws {
        let plain: [[UInt8]] = [
            [UInt8](repeating: 0x61, count: offset), [UInt8](repeating: 0x20, count: offset),
            [UInt8](repeating: 0x21, count: offset), [UInt8](repeating: 0x23, count: offset),
            [UInt8](repeating: 0x7F, count: offset), [UInt8](repeating: 0x5B, count: offset),
            [UInt8](repeating: 0x5D, count: offset),
        ]
        let endings: [([UInt8], JSONError.Reason?)] = [
            ([0x22], nil), ([0x5C, 0x6E, 0x22], nil), ([0xC3, 0xA9, 0x22], nil), ([0x80, 0x22], .invalidUTF8),
            ([0x1F, 0x22], .controlCharacter), ([0x00, 0x22], .controlCharacter), ([0x5C, 0x71, 0x22], .invalidEscape),
            ([], .unexpectedEnd), ([0x22, 0x22], .trailingBytes),
        ]
        for run in plain {
            for (ending, reason) in endings {
                #expect(refusal(of: [0x22] + run + ending) == reason)
                let padded = [0x22] + run + ending + [UInt8](repeating: 0x20, count: 16)
                if !ending.isEmpty { #expect(refusal(of: padded) == reason) }
            }
            #expect(try JSONDocument([0x22] + run + [0x22]).root.stringBytes == run)
            let escaped = try JSONDocument([0x22] + run + [0x5C, 0x6E] + run + [0x22]).root
            #expect(escaped.stringBytes == run + [0x0A] + run)
        }
    }

    // MARK: - Numbers

    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "0.0", "0.10", "-0.5", "1e0", "1E0", "1e+0", "1e-0", "1e00", "0e999999999999",
        "1.5E-10",
        "123456789012345678901234567890", "1e300", "1e309", "1e999999999999999999999", "0.000000000000000000001",
    ])
    func numbersKeepTheirText(_ text: String) throws {
        #expect(try JSONDocument(text).root.text == text)
        #expect(try JSONDocument("[ \(text) , \(text)]").root.elements?.map(\.text) == [text, text])
        #expect(try JSONDocument("{\"a\":\(text)}").root["a"]?.kind == .number)
    }

    @Test(arguments: [
        "-", "--1", "01", "00", "-01", "-00", "1.", "1.e1", "1e", "1e+", "1e-", "1E", "0e", "1ee1", "-a", "-.5", "0.",
        "1.-1",
        "-Infinity", "-NaN", "1e+-1", "00.1", "012",
    ])
    func refusedNumbers(_ text: String) {
        #expect(refusal(of: text) == .invalidNumber)
        #expect(refusal(of: "[\(text)]") == .invalidNumber)
    }

    @Test(
        arguments: [
            ("+1", .unexpectedByte), (".5", .unexpectedByte), ("1.5.5", .trailingBytes), ("0x10", .trailingBytes),
            ("1_000", .trailingBytes), ("1e1.5", .trailingBytes), ("1a", .trailingBytes), ("1-1", .trailingBytes),
            ("1f", .trailingBytes), ("٣", .unexpectedByte), ("1\u{0}", .trailingBytes),
        ] as [(String, JSONError.Reason)])
    func almostNumbers(_ text: String, _ reason: JSONError.Reason) {
        #expect(refusal(of: text) == reason)
        #expect(refusal(of: "[\(text)]") != nil)
    }
}
