internal import PosternBase
internal import PosternCrypto
internal import PosternJOSE
internal import PosternTokens

/// A JWS of an outside file, verified as the verifier of tokens does it up to the signature.
enum CompactJWS {
    enum Finding {
        case accepted(payload: [UInt8], Algorithm)
        /// With the refusal code that a token would get.
        case refused(String)
        /// The library failed: neither a right nor a wrong answer.
        case broken(String)

        var description: String {
            switch self {
            case .accepted: "accepted"
            case .refused(let code): "refused \(code)"
            case .broken(let reason): "no answer: \(reason)"
            }
        }
    }

    static func verify(_ token: String, with keys: KeySet) -> Finding {
        var token = token
        return token.withUTF8 { bytes in
            var finding = Finding.broken("the token was not read")
            do throws(JWSFault) {
                try UnverifiedJWS.withParsed(bytes) { jws in finding = verify(jws, with: keys) }
            } catch {
                return .refused(RefusalCode(error).rawValue)
            }
            return finding
        }
    }

    private static func verify(_ jws: borrowing UnverifiedJWS, with keys: KeySet) -> Finding {
        guard let algorithm = jws.header.algorithm else { return .refused("algorithm_not_allowed") }
        guard jws.header.criticalMember == nil else { return .refused("critical_header_unsupported") }
        switch keys.choose(jws.header, algorithm, keyIDRequired: false) {
        case .key(let key):
            do throws(CryptoError) {
                guard try jws.verified(with: key, algorithm) != nil else { return .refused("signature_invalid") }
                return .accepted(payload: jws.payload.bytes, algorithm)
            } catch {
                return .broken(error.reason.rawValue)
            }
        case .notFound: return .refused("key_not_found")
        case .ambiguous: return .refused("key_ambiguous")
        case .unusable: return .refused("key_unusable")
        case .nothingUsable: return .refused("keys_unavailable")
        }
    }
}

extension KeySet {
    /// The set that `value` is, or of the one key that it is.
    init(setOrKey value: JSONValue) throws(KeySetError) {
        if value["keys"] != nil {
            try self.init(value)
        } else {
            try self.init(Array("{\"keys\":[\(value.text)]}".utf8))
        }
    }
}
