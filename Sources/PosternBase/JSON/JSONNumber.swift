/// Exact conversion of the text of a JSON number, without floating point.
enum JSONNumber {
    /// The greatest integer that is not above the number, and whether it is the number; nil when it does not fit 64 bits.
    static func floor(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> (value: Int64, isExact: Bool)? {
        if let short = shortInteger(text) { return (short, true) }
        var index = text.startIndex
        let negative = index < text.endIndex && text[index] == 0x2D
        if negative { index += 1 }
        let mantissaStart = index
        while index < text.endIndex, text[index] | 0x20 != 0x65 { index += 1 }
        let mantissa = text[mantissaStart..<index]
        let pointIndex = mantissa.firstIndex(of: 0x2E)
        let integerDigits = (pointIndex ?? mantissa.endIndex) - mantissa.startIndex
        // Digits up to this many places count towards the integer part.
        let places = integerDigits + exponent(text[index...])
        return digits(of: mantissa, integerPlaces: places, negative: negative)
    }

    /// What nearly every number in a token is: up to 18 digits and nothing else.
    private static func shortInteger(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        let digits = UnsafeBufferPointer(rebasing: text)
        guard digits.count <= 18, let base = digits.baseAddress else { return nil }
        var value: Int64 = 0
        var start = 0
        if digits.count >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(as: UInt64.self))
            guard areDigits(word) else { return nil }
            value = Int64(truncatingIfNeeded: numberOfDigits(word))
            start = 8
        }
        for index in start..<digits.count {
            let digit = digits[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        return value
    }

    /// Whether the eight bytes of `word` are all ASCII digits.
    @inline(__always)
    static func areDigits(_ word: UInt64) -> Bool {
        let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
        // Adding 6 lifts what is above 9 out of 0x30...0x3F; a byte that would carry into the next is none already.
        return word & high == 0x3030_3030_3030_3030 && (word &+ 0x0606_0606_0606_0606) & high == 0x3030_3030_3030_3030
    }

    /// The number that eight digits are, the first in the lowest byte: neighbours are joined to pairs, fours and all eight.
    @inline(__always)
    private static func numberOfDigits(_ word: UInt64) -> UInt64 {
        let digits = word & 0x0F0F_0F0F_0F0F_0F0F
        let pairs = (digits &* (10 << 8 | 1)) &>> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* (100 << 16 | 1)) &>> 16 & 0x0000_FFFF_0000_FFFF
        return (fours &* (10_000 << 32 | 1)) &>> 32
    }

    /// The exponent, held within ± 10⁹: beyond that the answer is the same.
    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var index = text.startIndex + 1
        guard index < text.endIndex else { return 0 }
        let negative = text[index] == 0x2D
        if negative || text[index] == 0x2B { index += 1 }
        var value = 0
        while index < text.endIndex {
            value = min(value * 10 + Int(text[index] &- 0x30), 1_000_000_000)
            index += 1
        }
        return negative ? -value : value
    }

    private static func digits(
        of mantissa: Slice<UnsafeBufferPointer<UInt8>>,
        integerPlaces: Int,
        negative: Bool
    ) -> (value: Int64, isExact: Bool)? {
        var magnitude: UInt64 = 0
        var isExact = true
        var place = 0
        for byte in mantissa where byte != 0x2E {
            let digit = UInt64(byte &- 0x30)
            if place < integerPlaces {
                let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
                let (sum, carry) = product.addingReportingOverflow(digit)
                guard !overflow, !carry else { return nil }
                magnitude = sum
            } else if digit != 0 {
                isExact = false
            }
            place += 1
        }
        while place < integerPlaces, magnitude != 0 {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            magnitude = product
            place += 1
        }
        guard let value = negative ? negated(magnitude) : Int64(exactly: magnitude) else { return nil }
        guard negative, !isExact else { return (value, isExact) }
        let (floor, overflow) = value.subtractingReportingOverflow(1)
        return overflow ? nil : (floor, false)
    }

    private static func negated(_ magnitude: UInt64) -> Int64? {
        magnitude == UInt64(Int64.max) + 1 ? .min : Int64(exactly: magnitude).map { -$0 }
    }
}
