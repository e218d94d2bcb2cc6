import PosternBase
import Testing

@Suite struct HexTests {
    @Test func everyByte() {
        let bytes = Array(UInt8.min ... .max)
        let text = Hex.encode(bytes)
        #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
        #expect(text.hasSuffix("f9fafbfcfdfeff"))
        #expect(Hex.decode(text) == bytes)
        #expect(Hex.decode(text.uppercased()) == bytes)
    }

    @Test(arguments: [("", []), ("00", [0]), ("ff", [255]), ("Ff", [255]), ("0a1B", [10, 27])] as [(String, [UInt8])])
    func accepted(_ text: String, _ bytes: [UInt8]) {
        #expect(Hex.decode(text) == bytes)
        #expect(Hex.decode("<\(text)>".dropFirst().dropLast()) == bytes)
    }

    @Test(arguments: [
        "0", "000", "0x00", "0g", "g0", "/0", "0:", "@0", "`0", " 00", "0 0", "+1", "-1", "é", "\u{FF10}0",
    ])
    func refused(_ text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test func digits() {
        for byte in UInt8.min ... .max {
            let expected = Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
            #expect(Hex.value(byte) == expected)
        }
        #expect((UInt8(0)..<16).map(Hex.digit) == Array("0123456789abcdef".utf8))
    }
}
