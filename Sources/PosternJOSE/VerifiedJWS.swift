package import PosternCrypto

/// The proof that the signature of a JWS has been verified with a key; made only by verifying.
package struct VerifiedJWS: ~Copyable {
    package let algorithm: Algorithm

    fileprivate init(_ jws: borrowing UnverifiedJWS, _ algorithm: Algorithm) { self.algorithm = algorithm }

    /// For the test that leaves the signature out, and for nothing else.
    package init(testOnlyUnverified jws: borrowing UnverifiedJWS, _ algorithm: Algorithm) {
        self.init(jws, algorithm)
    }
}

extension UnverifiedJWS {
    /// The token as verified when `key` has made its signature under `algorithm`; nil when it has not.
    package func verified(with key: VerificationKey, _ algorithm: Algorithm) throws(CryptoError) -> VerifiedJWS? {
        guard let verifier = key.verifier(for: algorithm), try verifier.isValid(signature, for: signingInput) else {
            return nil
        }
        return VerifiedJWS(self, algorithm)
    }
}
