extension JSONReader {
    /// The names of one object: a hash table with open addresses, at most half full.
    struct NameTable {
        /// A name each: half of its hash above, its place on the tape below; zero, where no name is, for none.
        private let slots: UnsafeMutableBufferPointer<UInt64>
        private let bytes: UnsafeBufferPointer<UInt8>
        // Names with escapes are resolved here, one after the other.
        private var plain: [UInt8] = []
        private var other: [UInt8] = []

        static func capacity(_ count: UInt32) -> Int {
            var capacity = 32
            while capacity < 2 * Int(count) { capacity *= 2 }
            return capacity
        }

        init(_ slots: UnsafeMutableBufferPointer<UInt64>, _ bytes: UnsafeBufferPointer<UInt8>) {
            self.slots = slots
            self.bytes = bytes
            slots.initialize(repeating: 0)
        }

        /// False when the name is there already.
        mutating func insert(
            _ token: JSONToken,
            at place: Int,
            _ tape: UnsafeMutableBufferPointer<JSONToken>
        ) -> Bool {
            let hash = shortHash(token)
            let entry = UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: place))
            var slot = Int(hash) & (slots.count - 1)
            while slots[slot] != 0 {
                let found = tape[Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF)]
                if slots[slot] >> 32 == UInt64(hash), isSame(token, found) { return false }
                slot = (slot + 1) & (slots.count - 1)
            }
            slots[slot] = entry
            return true
        }

        /// Swift's hashing is keyed anew in each process, so nobody can prepare names that collide.
        private mutating func shortHash(_ token: JSONToken) -> UInt32 {
            var hasher = Hasher()
            if token.hasEscapes {
                JSONString.unescape(token, in: bytes, into: &plain)
                plain.withUnsafeBytes { hasher.combine(bytes: $0) }
            } else {
                hasher.combine(bytes: UnsafeRawBufferPointer(content(token)))
            }
            return UInt32(truncatingIfNeeded: hasher.finalize())
        }

        private mutating func isSame(_ left: JSONToken, _ right: JSONToken) -> Bool {
            guard left.hasEscapes || right.hasEscapes else { return content(left).elementsEqual(content(right)) }
            JSONString.unescape(left, in: bytes, into: &plain)
            JSONString.unescape(right, in: bytes, into: &other)
            return plain == other
        }

        private func content(_ token: JSONToken) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: bytes[Int(token.start)..<Int(token.end)])
        }
    }
}
