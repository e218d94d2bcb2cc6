/// Numbers as people and files write them, which `Int(_:)` reads too freely: it takes a plus sign and any length.
package enum DecimalDigits {
    /// The number that 1 to 18 ASCII digits stand for, which always fits 64 bits; nil for every other text.
    package static func value(of text: some StringProtocol) -> Int64? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return text.utf8.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Room for the digits of every number of 64 bits and a sign.
    package static let maximumCount = 21

    /// Writes a number at the end of `text`, which has room for `maximumCount`, and says where it begins.
    package static func write(_ number: UInt64, toEndOf text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var rest = number
        var place = text.count
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            place &-= 1
            text[place] = 0x30 &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
        } while rest > 0
        return place
    }
}
