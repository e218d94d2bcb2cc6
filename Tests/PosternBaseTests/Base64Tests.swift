import Foundation
import PosternBase
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", Base64.Padding.required, [UInt8]()), ("", .absent, []), ("", .optional, []),
        ("AA==", .required, [0]), ("AA", .absent, [0]), ("AA", .optional, [0]), ("AA==", .optional, [0]),
        ("+/8=", .required, [0xFB, 0xFF]), ("+/8", .absent, [0xFB, 0xFF]), ("AAAA", .required, [0, 0, 0]),
        ("AAAA", .absent, [0, 0, 0]),
    ])
    func isRead(text: String, padding: Base64.Padding, bytes: [UInt8]) {
        #expect(Base64.decode(text, padding: padding) == bytes)
    }

    @Test(arguments: [
        ("AA", Base64.Padding.required), ("AA=", .required), ("AA=", .optional), ("A===", .required), ("=", .optional),
        ("====", .required), ("====", .optional), ("AA==", .absent), ("AA=A", .required), ("A", .absent),
        ("AAAAA", .absent),
        ("-_8=", .required), ("-_8", .absent), ("AB==", .required), ("AAB", .absent), ("AA==\n", .required),
        (" AA=", .required), ("AA==AA==", .required), ("AAAA====", .required), ("é", .optional), ("A.AA", .absent),
    ])
    func isNotRead(text: String, padding: Base64.Padding) {
        #expect(Base64.decode(text, padding: padding) == nil)
    }

    @Test func agreesWithFoundation() {
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
            let text = Base64.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.decode(text, padding: .required) == bytes)
        }
    }
}
