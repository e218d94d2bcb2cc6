internal import CUnistring
internal import Glibc

/// What libunistring does with text.
enum UnicodeText {
    static func isWellFormed(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress else { return true }
        return postern_is_utf8(start.assumingMemoryBound(to: UInt8.self), text.count) != 0
    }

    /// How many Unicode scalars well-formed UTF-8 has.
    static func scalarCount(_ text: UnsafeRawBufferPointer) -> Int {
        text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }

    /// Normalization Form C.
    static func normalized(_ text: UnsafeRawBufferPointer) throws(PasswordFault) -> SecretText {
        // ASCII is its own normal form.
        if text.allSatisfy({ $0 < 0x80 }) { return SecretText(text) }
        return try transformed(text, postern_normalize)
    }

    /// What is the same for a person in a hurry: upper and lower case, full and half width, ligatures and their letters.
    static func folded(_ text: UnsafeRawBufferPointer) throws(PasswordFault) -> SecretText {
        if text.allSatisfy({ $0 < 0x80 }) {
            return SecretText(capacity: text.count) { room in
                for index in text.indices { room[index] = text[index].asciiLowercased }
                return text.count
            }
        }
        return try transformed(text, postern_fold)
    }

    private typealias Function = (
        UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?
    ) -> UnsafeMutablePointer<UInt8>?

    private static func transformed(
        _ text: UnsafeRawBufferPointer,
        _ function: Function
    ) throws(PasswordFault) -> SecretText {
        // Room for nearly everything; for the rest the library allocates some.
        var elsewhere: SecretText?
        var isDone = false
        let source = text.assumingMemoryBound(to: UInt8.self)
        let result = SecretText(capacity: text.count * 4 + 64) { room in
            let buffer = room.assumingMemoryBound(to: UInt8.self).baseAddress
            var count = room.count
            guard let written = function(source.baseAddress, source.count, buffer, &count) else { return 0 }
            isDone = true
            if written == buffer { return count }
            let bytes = UnsafeMutableRawBufferPointer(start: written, count: count)
            elsewhere = SecretText(UnsafeRawBufferPointer(bytes))
            explicit_bzero(written, count)
            free(written)
            return 0
        }
        guard isDone else { throw PasswordFault(.memory, "libunistring could not transform a text") }
        return elsewhere ?? result
    }
}

extension UInt8 {
    var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 0x20 : self }
}
