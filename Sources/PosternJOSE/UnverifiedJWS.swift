internal import Glibc
package import PosternBase

/// A compact JWS (RFC 7515 §7.1) that has the right form and that nobody has vouched for.
///
/// It points into the caller's bytes, so it cannot be copied and lives only inside `withParsed`.
package struct UnverifiedJWS: ~Copyable {
    package static let defaultMaximumSize = 16384

    package let header: JOSEHeader
    /// The decoded payload, of whatever kind.
    package let payload: JSONText
    /// Header and payload segments as they were received: what the signature is over.
    let signingInput: UnsafeBufferPointer<UInt8>
    let signature: UnsafeBufferPointer<UInt8>
    let headerText: UnsafeBufferPointer<UInt8>
    /// Whether the header came from the memo.
    package let isHeaderKept: Bool

    /// Reads `token` once and calls `body` with what it is.
    package static func withParsed(
        _ token: UnsafeBufferPointer<UInt8>,
        maximumSize: Int = defaultMaximumSize,
        rules: JWSRules = .all,
        headers: HeaderMemo? = nil,
        _ body: (borrowing UnverifiedJWS) -> Void
    ) throws(JWSFault) {
        guard token.count <= maximumSize || !rules.contains(.size) else {
            throw JWSFault(
                stage: .size,
                message: "The token has more than \(maximumSize) bytes; identity tokens have one or two thousand."
            )
        }
        let segments: Segments
        do throws(JWSFault) {
            segments = try Segments(token, rules: rules)
        } catch {
            throw TokenHint.fault(of: token) ?? error
        }
        // 4n + 1 characters stand for nothing: the decoder says so, once the other segments have been looked at.
        let signatureCount = Base64URL.decodedCount(of: segments.signature.count) ?? 0
        try withScratch(signatureCount) { signature throws(JWSFault) in
            body(try read(segments, of: token, rules, headers, signature))
        }
    }

    private static func read(
        _ segments: Segments,
        of token: UnsafeBufferPointer<UInt8>,
        _ rules: JWSRules,
        _ headers: HeaderMemo?,
        _ signature: UnsafeMutableBufferPointer<UInt8>
    ) throws(JWSFault) -> UnverifiedJWS {
        let kept = headers?.header(of: segments.header)
        // A bad form of any segment is told before what the header says.
        let text = kept == nil ? try decodeHeader(segments.header, of: token) : nil
        let payload = try decode(segments.payload, "payload")
        guard Base64URL.decode(segments.signature, into: signature) else {
            throw TokenHint.fault(of: token) ?? notBase64URL(segments.signature, "signature")
        }
        let header: JOSEHeader
        if let kept {
            header = kept
        } else {
            header = try JOSEHeader(text ?? JSONText([]), rules: rules)
        }
        return UnverifiedJWS(
            header: header,
            payload: payload,
            signingInput: segments.signingInput,
            signature: UnsafeBufferPointer(signature),
            headerText: segments.header,
            isHeaderKept: kept != nil
        )
    }

    private static func withScratch(
        _ count: Int,
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws(JWSFault) -> Void
    ) throws(JWSFault) {
        var fault: JWSFault?
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(count, 1)) { scratch in
            do throws(JWSFault) {
                try body(UnsafeMutableBufferPointer(rebasing: scratch[..<count]))
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
    }

    private static func decodeHeader(
        _ segment: UnsafeBufferPointer<UInt8>,
        of token: UnsafeBufferPointer<UInt8>
    ) throws(JWSFault) -> JSONText {
        guard let text = JSONText(base64URL: segment) else {
            throw TokenHint.fault(of: token) ?? notBase64URL(segment, "header")
        }
        guard text.count > 0 else { throw JWSFault(stage: .form, message: "The header segment is empty.") }
        return text
    }

    private static func decode(_ segment: UnsafeBufferPointer<UInt8>, _ name: String) throws(JWSFault) -> JSONText {
        guard let bytes = JSONText(base64URL: segment) else { throw notBase64URL(segment, name) }
        return bytes
    }

    /// Says where to look: what was added to a token on its way shows at one character.
    private static func notBase64URL(_ segment: UnsafeBufferPointer<UInt8>, _ name: String) -> JWSFault {
        let problem: String =
            if let place = segment.firstIndex(where: { !Base64URL.isInAlphabet($0) }) {
                "its character \(place + 1) is \(Excerpt.quote(byte: segment[place]))"
            } else {
                "its end is cut off or was changed"
            }
        return JWSFault(stage: .form, message: "The \(name) segment is not base64url without padding: \(problem).")
    }
}

/// Where the three segments stand, found in one pass.
private struct Segments {
    let header: UnsafeBufferPointer<UInt8>
    let payload: UnsafeBufferPointer<UInt8>
    let signature: UnsafeBufferPointer<UInt8>
    let signingInput: UnsafeBufferPointer<UInt8>

    init(_ token: UnsafeBufferPointer<UInt8>, rules: JWSRules) throws(JWSFault) {
        guard let first = Self.dot(in: token, from: 0), let second = Self.dot(in: token, from: first + 1) else {
            throw JWSFault(stage: .form, message: "The token does not have three segments separated by dots.")
        }
        let third = Self.dot(in: token, from: second + 1)
        guard third == nil || !rules.contains(.segments) else {
            throw JWSFault(stage: .form, message: "The token has more than three segments.")
        }
        header = UnsafeBufferPointer(rebasing: token[..<first])
        payload = UnsafeBufferPointer(rebasing: token[(first + 1)..<second])
        signature = UnsafeBufferPointer(rebasing: token[(second + 1)..<(third ?? token.count)])
        signingInput = UnsafeBufferPointer(rebasing: token[..<second])
    }

    private static func dot(in token: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = token.baseAddress, start < token.count else { return nil }
        return memchr(base + start, 0x2E, token.count - start).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
    }
}
