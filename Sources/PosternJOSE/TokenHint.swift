/// Recognises what is often handed in beside a token or in place of one, for the message.
enum TokenHint {
    /// Nil when the text begins like a token.
    static func fault(of token: UnsafeBufferPointer<UInt8>) -> JWSFault? {
        message(token).map { JWSFault(stage: .form, message: $0) }
    }

    private static func message(_ token: UnsafeBufferPointer<UInt8>) -> String? {
        guard let first = token.first else { return "The token is empty." }
        if let last = token.last, isBlank(last), !isBlank(first) {
            return "White space stands behind the token, such as the end of a line: leave it out."
        }
        if isBearer(token) { return "The token begins with \"Bearer \": hand in what follows." }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return "The token stands in quotation marks: hand it in without them."
        case UInt8(ascii: "{"): return "This is JSON, not a token: hand in the value of its id_token."
        case _ where isBlank(first): return "White space stands before the token."
        default: return nil
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isBearer(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        token.count > 6 && token[6] == UInt8(ascii: " ")
            && zip(token, "bearer".utf8).allSatisfy { $0 | 0x20 == $1 }
    }
}
