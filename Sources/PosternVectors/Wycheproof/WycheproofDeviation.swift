internal import PosternBase

/// A test of Wycheproof that calls valid what Postern refuses on purpose.
package struct WycheproofDeviation {
    let kind: WycheproofFile.Kind
    let number: Int64
    /// Numbers change from one version of Wycheproof to the next; with the comment they still mean the same test.
    let comment: String
    let code: String
    let reason: String

    /// The ids of all that are listed, as results name them.
    package static var ids: [String] { all.map { "\($0.number) \($0.comment)" } }

    static let all = [
        signature(346, "Figure20", "the key's alg is PS256, the header's PS384"),
        signature(347, "Figure27", "the key's alg is ES521, which RFC 7518 does not know, the header's ES512"),
        signature(350, "Figure20", "the key's alg is PS256, the header's PS384"),
        signature(351, "Figure27", "the key's alg is ES521, which RFC 7518 does not know, the header's ES512"),
    ]

    private static func signature(_ number: Int64, _ comment: String, _ finding: String) -> WycheproofDeviation {
        WycheproofDeviation(
            kind: .jsonWebSignature,
            number: number,
            comment: comment,
            code: "key_unusable",
            reason: "\(finding): a key is used only with the algorithm that it names (RFC 8725 section 3.1)"
        )
    }

    static func listed(_ kind: WycheproofFile.Kind, _ number: Int64, _ comment: String) -> WycheproofDeviation? {
        all.first { $0.kind == kind && $0.number == number && $0.comment.isSameBytes(as: comment) }
    }
}
