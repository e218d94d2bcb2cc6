import Postern

/// The same in a Swift backend, without a daemon: make one, and keep it.
actor SignIns {
    private static let client = "com.example.app"
    private let nonces: IssuedNonces
    private let verifier: TokenVerifier

    init(keyFolder: String) throws {
        nonces = try IssuedNonces()
        verifier = try TokenVerifier(
            .apple(audiences: [.app(Self.client, nonce: .issued)]), keyFolder: keyFolder, issuedNonces: nonces)
    }

    /// Keep `nonce` with the sign-in that has begun, and send the app `sha256Hex`; nil when too many have begun.
    func begin() throws -> IssuedNonce? { try nonces.issue(audience: Self.client) }

    /// The person is (issuer, subject). Throws `VerificationError`: refused, with a code, or a fault, to be tried again.
    func finish(identityToken: String, nonce: String) async throws -> VerifiedIdentity {
        try await verifier.verify(identityToken, nonce: nonce)
    }
}
