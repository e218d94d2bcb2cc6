/// Numbers as people and files write them, which `Int(_:)` reads too freely: it takes a plus sign and any length.
package enum DecimalDigits {
    /// The number that 1 to 18 ASCII digits stand for, which always fits 64 bits; nil for every other text.
    package static func value(of text: some StringProtocol) -> Int64? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return text.utf8.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
