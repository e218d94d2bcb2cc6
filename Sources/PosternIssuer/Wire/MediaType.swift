enum MediaType {
    /// Whether `field` names this type, whatever parameters follow (RFC 9110 §8.3.1); `type` is in lower case.
    static func `is`(_ field: String, _ type: String) -> Bool {
        var name = Array(field.utf8.prefix { $0 != UInt8(ascii: ";") })
        while let last = name.last, last == 0x20 || last == 0x09 { name.removeLast() }
        return name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.elementsEqual(type.utf8)
    }
}
