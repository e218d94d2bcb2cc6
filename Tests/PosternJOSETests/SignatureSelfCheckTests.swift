import PosternBase
import Testing

@testable import PosternJOSE

@Suite struct SignatureSelfCheckTests {
    @Test func everyAlgorithmIsChecked() {
        #expect(SignatureSelfCheck.failingAlgorithms().isEmpty)
        #expect(KnownSignatures.signatures.map(\.algorithm) == Algorithm.all)
    }

    /// A library that would take anything, or nothing, is found out.
    @Test func whatFailsIsNamed() throws {
        let signatures = KnownSignatures.signatures
        let swapped = [
            (algorithm: Algorithm.rs256, text: signatures[1].text), (algorithm: .es256, text: signatures[6].text),
            (algorithm: .edDSA, text: "AAAA"), (algorithm: .ps256, text: "?"),
        ]
        #expect(SignatureSelfCheck.failing(swapped) == [.rs256, .edDSA, .ps256])
    }
}
