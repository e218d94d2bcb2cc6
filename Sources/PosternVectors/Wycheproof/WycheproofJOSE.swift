internal import PosternBase
internal import PosternJOSE

/// The groups of Wycheproof that are about JWS and JWK.
enum WycheproofJOSE {
    static func tests(
        of group: JSONValue,
        _ kind: WycheproofFile.Kind,
        at place: String
    ) throws(VectorFault) -> [WycheproofTest] {
        let fields = try Fields(
            group,
            at: place,
            required: ["source", "tests"],
            optional: ["type", "comment", "private", "public"]
        )
        if let type = try fields.optionalText("type"), !type.isSameBytes(as: kind.rawValue) {
            throw fields.misfit("type", kind.rawValue)
        }
        // Without a public key the private one is symmetric, or a set that holds public keys too.
        guard let jwk = fields.optional("public") ?? fields.optional("private") else {
            throw VectorFault("\(place) has no key.")
        }
        let keys: KeySet
        do throws(KeySetError) {
            keys = try KeySet(setOrKey: jwk)
        } catch {
            throw VectorFault("\(place): \(error.message)")
        }
        var tests: [WycheproofTest] = []
        for (position, test) in try fields.list("tests").enumerated() {
            tests.append(try self.test(test, kind, keys, isSymmetric(jwk), at: "\(place), test \(position + 1)"))
        }
        return tests
    }

    private static func isSymmetric(_ jwk: JSONValue) -> Bool {
        (jwk["keys"]?.elements ?? [jwk]).allSatisfy { $0["kty"]?.stringEquals("oct") == true }
    }

    private static func test(
        _ value: JSONValue,
        _ kind: WycheproofFile.Kind,
        _ keys: KeySet,
        _ isSymmetric: Bool,
        at place: String
    ) throws(VectorFault) -> WycheproofTest {
        let usual = ["tcId", "comment", "result", "flags"]
        if kind == .jsonWebCrypto, value["jwe"] != nil {
            let fields = try Fields(value, at: place, required: usual + ["jwe"], optional: ["pt"])
            return try WycheproofTest(fields) { .skipped(.encryption) }
        }
        let fields = try Fields(
            value,
            at: place,
            required: usual + ["jws"],
            optional: kind == .jsonWebCrypto ? ["pt"] : []
        )
        if isSymmetric { return try WycheproofTest(fields) { .skipped(.symmetric) } }
        if try fields.value("jws").kind == .object {
            return try WycheproofTest(fields) { .skipped(.jsonSerialization) }
        }
        let token = try fields.text("jws")
        return try WycheproofTest(fields) {
            switch CompactJWS.verify(token, with: keys) {
            case .accepted: .accepted
            case .refused(let code): .refused(code)
            case .broken(let reason): .broken(reason)
            }
        }
    }
}
