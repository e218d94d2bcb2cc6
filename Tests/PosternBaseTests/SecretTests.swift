import PosternBase
import Testing

@Suite struct SecretTests {
    private static let text = "postern_do-not-show"

    private struct Holder {
        let name = "holder"
        let secret = Secret(SecretTests.text)
        let bytes = Secret(Array(SecretTests.text.utf8))
        let list = [Secret(SecretTests.text)]
        let optional: Secret<String>? = Secret(SecretTests.text)
    }

    /// Every way in which Swift prints a value, alone and inside others.
    private static func prints(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var printed = ""
        print(value, to: &printed)
        var debugged = ""
        debugPrint(value, to: &debugged)
        return [dumped, printed, debugged, "\(value)", String(describing: value), String(reflecting: value)]
    }

    @Test func nothingOfItIsPrinted() {
        let secret = Secret(Self.text)
        let bytes = Secret(Array(Self.text.utf8))
        let numbers = Array(Self.text.utf8).map(String.init)
        for value in [secret, bytes, Holder(), [secret], ["a": secret], (1, secret), Optional(secret) as Any] as [Any] {
            for text in Self.prints(value) {
                #expect(!text.contains("do-not-show"), "\(text)")
                // Nor as a list of numbers, one after the other or a line each.
                #expect(!text.contains(numbers.prefix(4).joined(separator: ", ")), "\(text)")
                #expect(!text.contains("- \(numbers[0])\n"), "\(text)")
            }
        }
        #expect("\(secret)" == Mask.text)
        #expect(secret.description == Mask.text && secret.debugDescription == Mask.text)
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func whatIsInsideIsToBeHadByName() {
        #expect(Secret(Self.text).revealed == Self.text)
        #expect(Secret([UInt8(1)]).revealed == [1])
    }

    /// What a person's claims or a token are read into.
    @Test func documentsAreMasked() throws {
        let document = try JSONDocument(#"{"email":"somebody@example.com","n":[1,2]}"#)
        for value in [document, document.root, document.root["email"] as Any] {
            for text in Self.prints(value) { #expect(!text.contains("somebody"), "\(text)") }
        }
        #expect("\(document.root)" == "JSONValue(object, (secret))")
    }
}
