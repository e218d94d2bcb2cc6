internal import PosternBase
internal import PosternCrypto
package import PosternTokens

/// Makes and recognises refresh tokens, of which no store holds anything but the session's count.
///
/// A token is base64url(version ‖ key id ‖ session ‖ count ‖ MAC), the MAC being HMAC-SHA-256 over all before it. It is the same
/// whenever it is made again for one count, so a lost answer can be given once more.
package struct RefreshTokens: Sendable {
    /// What a genuine token says.
    package struct Content: Sendable, Equatable {
        package let session: SessionID
        package let counter: Int64
    }

    private static let version: UInt8 = 1
    private static let signedByteCount = 1 + 4 + SessionID.byteCount + 8
    private static let byteCount = signedByteCount + 32

    private let keys: [MasterKeys.Derived]

    package init(_ master: MasterKeys) throws(ConfigurationError) { keys = try master.derived(.refreshTokens) }

    /// The token of the session with this count.
    package func token(_ session: SessionID, counter: Int64) throws(VerificationFault) -> String {
        let signed = [Self.version] + keys[0].id.bytes + session.bytes + counter.bytes
        guard let code = Self.authenticationCode(of: signed, keys[0]) else {
            throw .keysUnavailable("The refresh token could not be made: HMAC-SHA-256 is not to be had.")
        }
        return Base64URL.encode(signed + code)
    }

    /// What `token` says; nil unless it was made under one of the keys.
    package func content(of token: String) -> Content? {
        guard token.utf8.count <= 128, let bytes = Base64URL.decode(token), bytes.count == Self.byteCount,
            bytes[0] == Self.version
        else { return nil }
        let id = bytes[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let signed = Array(bytes[..<Self.signedByteCount])
        guard let key = keys.first(where: { $0.id == id }),
            let code = Self.authenticationCode(of: signed, key),
            ConstantTime.equals(code, Array(bytes[Self.signedByteCount...])),
            let session = SessionID(bytes: Array(bytes[5..<21]))
        else { return nil }
        return Content(session: session, counter: Int64(bytes[21..<29]))
    }

    private static func authenticationCode(of bytes: [UInt8], _ key: MasterKeys.Derived) -> [UInt8]? {
        try? HMAC.authenticationCode(of: bytes, key: key.secret.revealed, using: .sha256)
    }
}
