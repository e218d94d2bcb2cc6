import PosternJOSE
import Testing

/// What is handed in beside a token, or in its place, is named.
@Suite struct TokenHintTests {
    @Test(arguments: [
        ("", "is empty"), ("Bearer e30.e30.AA", "\"Bearer \""), ("bearer x", "\"Bearer \""),
        ("\"e30.e30.AA\"", "quotation"),
        ("'e30.e30.AA'", "quotation"), ("{\"id_token\":\"e30.e30.AA\"}", "id_token"), (" e30.e30.AA", "White space"),
        ("\ne30.e30.AA", "White space"), ("e30", "three segments"), ("Bearer", "three segments"),
        ("e!0.e30.AA", "character 2"), ("Bearers e30.e30.AA", "character 8"),
    ])
    func named(_ text: String, _ message: String) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBufferPointer { bytes in
            do throws(JWSFault) {
                try UnverifiedJWS.withParsed(bytes) { _ in }
                Issue.record("it was read")
            } catch {
                #expect(error.stage == .form)
                #expect(error.message.contains(message), "\(error.message)")
            }
        }
    }
}
