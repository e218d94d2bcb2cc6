import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTokens

/// Bytes as a token; and header and payload, parted by a line feed, as a token that is well signed or that a verifier
/// without its signature rule reads, so that what stands behind the signature is reached too.
enum TokenTarget {
    private struct Parts {
        let signer: SigningKey
        let verifier: TokenVerifier
        let unsigned: TokenVerifier

        init() throws {
            let key = try PrivateKey.generateEd25519()
            signer = try SigningKey(key, .edDSA, keyID: "a")
            let keys = StaticKeySource(
                KeySet(keys: [try VerificationKey(key.publicKey, keyID: "a", declaredAlgorithm: .edDSA)])
            )
            let audiences = [Audience("app", nonce: .hashed), Audience("web", nonce: .plain)]
            verifier = try TokenVerifier(
                .oidc(issuer: "https://i", audiences: audiences, algorithms: [.edDSA]),
                keys: keys,
                time: .fixed(1_000)
            )
            let rsa = try PrivateKey.generateRSA(bits: 2048)
            unsigned = try TokenVerifier(
                .apple(audiences: audiences),
                keys: StaticKeySource(
                    KeySet(keys: [try VerificationKey(rsa.publicKey, keyID: "a", declaredAlgorithm: .rs256)])
                ),
                time: .fixed(1_000),
                testOnlyDisabled: [.signature]
            )
        }
    }

    private static let parts: Parts = {
        do { return try Parts() } catch { fatalError("no keys: \(error)") }
    }()

    /// The first byte says what to do with the rest: '0' sign it, '1' leave the signature out, '2' take it as it is; 4 more
    /// for a code, 8 more for the verdict with its checks, 64 more for a notification ('p', 'q', 'r').
    @Sendable static func run(_ input: UnsafeBufferPointer<UInt8>) {
        guard let first = input.first else { return }
        let rest = UnsafeBufferPointer(rebasing: input[1...])
        switch first & 3 {
        case 0: _ = judge(signed(rest), parts.verifier, first)
        case 1: _ = judge(unsigned(rest), parts.unsigned, first)
        default:
            let isAccepted = judge(Array(rest), parts.verifier, first)
            // The key is new in each process, so no input can carry a signature of it.
            FuzzDriver.expect(!isAccepted, "a token that nobody signed was accepted")
        }
    }

    /// Whether the token was accepted.
    private static func judge(_ token: [UInt8], _ verifier: TokenVerifier, _ options: UInt8) -> Bool {
        let code = options & 4 == 0 ? nil : "n"
        return token.withUnsafeBufferPointer { token in
            let isAccepted: Bool
            let answer: JSONOutput?
            if options & 64 == 0 {
                isAccepted = (try? verifier.identityNow(token, nonce: "n", code: code)) != nil
                guard options & 8 != 0 else { return isAccepted }
                let verdict = try? verifier.verdictNow(token, nonce: "n", code: code)
                FuzzDriver.expect((verdict?.identity != nil) == isAccepted, "two ways give two verdicts")
                answer = verdict?.json
            } else {
                isAccepted = (try? verifier.notificationNow(token)) != nil
                guard options & 8 != 0 else { return isAccepted }
                answer = (try? verifier.notificationVerdictNow(token))?.json
            }
            check(answer, isAccepted)
            return isAccepted
        }
    }

    private static func check(_ answer: JSONOutput?, _ isAccepted: Bool) {
        guard let answer else { fatalError("a fault where keys are at hand") }
        guard let root = (try? JSONDocument(answer.text()))?.root else { fatalError("an answer that is not JSON") }
        FuzzDriver.expect(root["verdict"]?.stringEquals("accepted") == isAccepted, "two ways give two verdicts")
    }

    private static func halves(_ text: UnsafeBufferPointer<UInt8>) -> (header: [UInt8], payload: [UInt8]) {
        let end = text.firstIndex(of: 0x0A) ?? text.endIndex
        return (Array(text[..<end]), Array(text[end...].dropFirst()))
    }

    private static func signed(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let (header, payload) = halves(text)
        guard let token = try? parts.signer.sign(header: header, payload: payload) else { fatalError("no signature") }
        return Array(token.utf8)
    }

    private static func unsigned(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let (header, payload) = halves(text)
        return Array("\(Base64URL.encode(header)).\(Base64URL.encode(payload)).AAAA".utf8)
    }
}
