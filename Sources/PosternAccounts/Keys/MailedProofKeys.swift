package import PosternBase
internal import PosternCrypto
package import PosternTokens

/// Makes and recognises what is mailed for a `MailedProof`: the token of a link, and a code that can be typed. No store holds either,
/// nor anything that they could be computed from without the master key.
///
/// The token is base64url(proof ‖ MAC), and the code six digits of another MAC, each HMAC-SHA-256 over the name of the proof under a
/// key of its own. Neither says which master key it comes from, so all are tried: with n of them a guess at a code is n times as
/// good.
package struct MailedProofKeys: Sendable {
    private static let byteCount = MailedProofID.byteCount + 32

    private let links: [MasterKeys.Derived]
    private let codes: [MasterKeys.Derived]

    package init(_ master: MasterKeys) throws(ConfigurationError) {
        links = try master.derived(.mailedLinks)
        codes = try master.derived(.mailedCodes)
    }

    /// The same whenever it is made again under the same key.
    package func token(_ id: MailedProofID) throws(VerificationFault) -> Secret<String> {
        Secret(Base64URL.encode(id.bytes + (try Self.authenticationCode(of: id, links[0]))))
    }

    /// Six digits; the same whenever they are made again under the same key.
    package func code(_ id: MailedProofID) throws(VerificationFault) -> Secret<String> {
        Secret(String(decoding: try Self.digits(of: id, codes[0]), as: UTF8.self))
    }

    /// The proof that `token` was made for under one of the keys; nil for any other text. Whether it is good still is up to
    /// `MailedProofRule`.
    package func proof(of token: String) throws(VerificationFault) -> MailedProofID? {
        guard token.utf8.count <= 128, let bytes = Base64URL.decode(token), bytes.count == Self.byteCount,
            let id = MailedProofID(bytes: Array(bytes[..<MailedProofID.byteCount]))
        else { return nil }
        let brought = Array(bytes[MailedProofID.byteCount...])
        var isGenuine = false
        for key in links {
            if ConstantTime.equals(try Self.authenticationCode(of: id, key), brought) { isGenuine = true }
        }
        return isGenuine ? id : nil
    }

    /// Whether `text` is the code of the proof under one of the keys: six ASCII digits, and no other spelling of them.
    package func isCode(_ text: String, of id: MailedProofID) throws(VerificationFault) -> Bool {
        let brought = Array(text.utf8.prefix(7))
        var isRight = false
        for key in codes {
            if ConstantTime.equals(try Self.digits(of: id, key), brought) { isRight = true }
        }
        return isRight
    }

    /// The remainder of 64 bits: no code stands for more than one number more than another, which makes it likelier by less than one
    /// part in 10¹³.
    private static func digits(of id: MailedProofID, _ key: MasterKeys.Derived) throws(VerificationFault) -> [UInt8] {
        let number = try authenticationCode(of: id, key)[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var rest = number % 1_000_000
        var digits = [UInt8](repeating: 0x30, count: 6)
        for place in digits.indices.reversed() {
            digits[place] += UInt8(rest % 10)
            rest /= 10
        }
        return digits
    }

    private static func authenticationCode(
        of id: MailedProofID,
        _ key: MasterKeys.Derived
    ) throws(VerificationFault) -> [UInt8] {
        do throws(CryptoError) {
            return try HMAC.authenticationCode(of: id.bytes, key: key.secret.revealed, using: .sha256)
        } catch {
            throw .keysUnavailable("What is mailed could not be made: HMAC-SHA-256 is not to be had.")
        }
    }
}
