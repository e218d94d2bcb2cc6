/// Folding for names that ignore case; Unicode folding would make other letters the same.
package enum ASCIICase {
    @inlinable
    @inline(__always)
    package static func folded(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    package static func isSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        var place = 0
        while place < left.count, folded(left[place]) == folded(right[place]) { place &+= 1 }
        return place == left.count
    }

    package static func isSame(_ left: UnsafeBufferPointer<UInt8>, _ right: StaticString) -> Bool {
        isSame(left, UnsafeBufferPointer(start: right.utf8Start, count: right.utf8CodeUnitCount))
    }
}
