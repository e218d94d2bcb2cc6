import Foundation
import PosternVectors
import Testing

/// The vectors of others, which are not in this repository: a folder with the folders `wycheproof`, `jose-cookbook` and
/// `nist`, named by the environment.
private enum OutsideVectors {
    static let folder = ProcessInfo.processInfo.environment["POSTERN_EXTRA_VECTORS"].map { URL(filePath: $0) }

    static func report(_ path: String) throws -> VectorFileReport {
        let folder = try #require(folder)
        let files = VectorRunner.run(paths: [folder.appending(path: path).path]).files
        try #require(files.count == 1)
        return files[0]
    }
}

@Suite(
    "The vectors of others",
    .enabled(if: OutsideVectors.folder != nil, "POSTERN_EXTRA_VECTORS names no folder")
)
struct OutsideVectorTests {
    @Test(
        "Wycheproof, count by count",
        arguments: [
            ("ecdsa_secp256r1_sha256_p1363", VectorCounts(passed: 262)),
            ("ecdsa_secp256r1_sha512_p1363", VectorCounts(passed: 332)),
            ("ecdsa_secp384r1_sha384_p1363", VectorCounts(passed: 280)),
            ("ecdsa_secp384r1_sha512_p1363", VectorCounts(passed: 318)),
            ("ecdsa_secp521r1_sha512_p1363", VectorCounts(passed: 318)),
            ("ed25519", VectorCounts(passed: 151)),
            ("json_web_crypto", VectorCounts(passed: 30, skipped: 53)),
            ("json_web_key", VectorCounts(passed: 12, skipped: 14)),
            ("json_web_signature", VectorCounts(passed: 357, skipped: 40, deviations: 4)),
            ("rsa_pss_2048_sha256_mgf1_0", VectorCounts(passed: 103)),
            ("rsa_pss_2048_sha256_mgf1_32_params", VectorCounts(passed: 108)),
            ("rsa_pss_2048_sha256_mgf1_32", VectorCounts(passed: 108)),
            ("rsa_signature_2048_sha256", VectorCounts(passed: 256, deviations: 3)),
        ]
    )
    func wycheproof(name: String, counts: VectorCounts) throws {
        let report = try OutsideVectors.report("wycheproof/testvectors_v1/\(name)_test.json")
        #expect(report.counts == counts, "\(report.lines.joined(separator: "\n"))")
        #expect(report.results.count == counts.total)
    }

    @Test("Each deviation occurs, and no other")
    func deviations() throws {
        let signatures = try OutsideVectors.report("wycheproof/testvectors_v1/json_web_signature_test.json")
        #expect(Self.deviations(signatures) == WycheproofDeviation.ids)
        let rsa = try OutsideVectors.report("wycheproof/testvectors_v1/rsa_signature_2048_sha256_test.json")
        #expect(
            Self.deviations(rsa) == [
                "8 Missing NULL in the ASN encoding", "258 small signature", "259 signature is close to n",
            ]
        )
    }

    private static func deviations(_ report: VectorFileReport) -> [String] {
        report.results.compactMap { result in
            if case .deviation = result.outcome { result.id } else { nil }
        }
    }

    @Test(
        "Skips, rule by rule",
        arguments: [
            ("json_web_crypto", [SkipRule.symmetric: 19, .encryption: 34]),
            ("json_web_key", [.symmetric: 14]),
            ("json_web_signature", [.symmetric: 40]),
        ]
    )
    func skips(name: String, counts: [SkipRule: Int]) throws {
        let skips = try OutsideVectors.report("wycheproof/testvectors_v1/\(name)_test.json").skips
        #expect(Dictionary(uniqueKeysWithValues: skips.map { ($0.rule, $0.count) }) == counts)
    }

    @Test(
        "The JOSE cookbook, count by count",
        arguments: [
            ("curve25519/ecdh-es", 0, [SkipRule.encryption: 1]),
            ("curve25519/jws", 1, [.jsonSerialization: 2]),
            ("jwk/3_1.ec_public_key", 1, [:]),
            ("jwk/3_2.ec_private_key", 1, [:]),
            ("jwk/3_3.rsa_public_key", 1, [:]),
            ("jwk/3_4.rsa_private_key", 1, [:]),
            ("jwk/3_5.symmetric_key_mac_computation", 1, [:]),
            ("jwk/3_6.symmetric_key_encryption", 1, [:]),
            ("jws/4_1.rsa_v15_signature", 1, [.jsonSerialization: 2]),
            ("jws/4_2.rsa-pss_signature", 1, [.jsonSerialization: 2]),
            ("jws/4_3.ecdsa_signature", 1, [.jsonSerialization: 2]),
            ("jws/4_4.hmac-sha2_integrity_protection", 0, [.symmetric: 1, .jsonSerialization: 2]),
            ("jws/4_5.signature_with_detached_content", 0, [.detached: 1, .jsonSerialization: 2]),
            ("jws/4_6.protecting_specific_header_fields", 0, [.jsonSerialization: 2]),
            ("jws/4_7.protecting_content_only", 0, [.jsonSerialization: 2]),
            ("jws/4_8.multiple_signatures", 0, [.jsonSerialization: 1]),
            ("rfc7797/4.2.hmac-sha2_b64_false", 0, [.jsonSerialization: 2]),
            ("rfc7797/hmac-sha2_b64_false", 0, [.unencoded: 1, .jsonSerialization: 2]),
        ]
    )
    func cookbook(name: String, passed: Int, skips: [SkipRule: Int]) throws {
        let report = try OutsideVectors.report("jose-cookbook/\(name).json")
        #expect(report.counts == VectorCounts(passed: passed, skipped: skips.values.reduce(0, +)))
        #expect(Dictionary(uniqueKeysWithValues: report.skips.map { ($0.rule, $0.count) }) == skips)
    }

    @Test("SHA-2 response files, count by count", arguments: [("SHA256ShortMsg", 65), ("SHA256LongMsg", 64)])
    func digests(name: String, passed: Int) throws {
        #expect(try OutsideVectors.report("nist/\(name).rsp").counts == VectorCounts(passed: passed))
    }

    @Test("No file is left out of the tables")
    func complete() throws {
        let folder = try #require(OutsideVectors.folder)
        let paths = ["wycheproof/testvectors_v1", "jose-cookbook", "nist"].map { folder.appending(path: $0).path }
        let report = VectorRunner.run(paths: paths)
        #expect(report.files.count == 13 + 18 + 2)
        #expect(report.counts == VectorCounts(passed: 2774, skipped: 132, deviations: 7))
    }

    @Test(
        "Files of other forms are not taken for vectors",
        arguments: ["rfc/rfc_jose_vectors.json", "real/tokens.json", "real/hash-claims.json", "real/apple-keys.json"]
    )
    func others(path: String) throws {
        let report = try OutsideVectors.report(path)
        #expect(report.fault?.hasPrefix("Unknown format") == true)
    }
}
