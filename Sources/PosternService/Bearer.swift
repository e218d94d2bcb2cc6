/// The credentials of an `Authorization` field (RFC 6750 §2.1).
enum Bearer {
    /// The token of `Bearer <token>`; nil for another scheme or form.
    static func token(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        let scheme: StaticString = "bearer "
        var start = scheme.utf8CodeUnitCount
        guard value.count > start else { return nil }
        for index in 0..<start {
            let byte = value[index]
            guard byte == scheme.utf8Start[index] || byte | 0x20 == scheme.utf8Start[index] else { return nil }
        }
        while start < value.count, value[start] == 0x20 { start += 1 }
        let token = UnsafeBufferPointer(rebasing: value[start...])
        return !token.isEmpty && token.allSatisfy(isOfToken68) ? token : nil
    }

    private static func isOfToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
