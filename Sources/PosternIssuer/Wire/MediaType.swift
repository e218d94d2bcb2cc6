internal import PosternBase

enum MediaType {
    /// Whether `field` names this type, whatever parameters follow (RFC 9110 §8.3.1); `type` is in lower case.
    static func `is`(_ field: String, _ type: String) -> Bool {
        var name = Array(field.utf8.prefix { $0 != UInt8(ascii: ";") })
        while let last = name.last, last == 0x20 || last == 0x09 { name.removeLast() }
        return name.map(ASCIICase.folded).elementsEqual(type.utf8)
    }
}
