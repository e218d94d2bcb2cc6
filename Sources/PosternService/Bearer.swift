/// The credentials of an `Authorization` field (RFC 6750 §2.1).
enum Bearer {
    /// The token of `Bearer <token>`; nil for another scheme or form.
    static func token(_ value: String) -> String? {
        let bytes = value.utf8
        let scheme = "bearer "
        guard bytes.count > scheme.utf8.count, zip(bytes, scheme.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
        else {
            return nil
        }
        let token = bytes.dropFirst(scheme.utf8.count).drop { $0 == 0x20 }
        guard !token.isEmpty, token.allSatisfy(isOfToken68) else { return nil }
        return String(token)
    }

    private static func isOfToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/=".utf8.contains(byte)
        }
    }
}
