/// The two forms of an ECDSA signature: JOSE's R ‖ S (RFC 7518 §3.4) and the DER that OpenSSL speaks (RFC 3279 §2.2.3).
enum ECDSASignature {
    /// Calls `body` with the DER of an R ‖ S of even length, at most 132 bytes.
    static func withDER<Result>(
        _ raw: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 160) { output in
            let half = raw.count / 2
            // Three bytes are left free for the sequence's own header, which may be two or three long.
            var end = appendInteger(raw[..<half], to: output, at: 3)
            end = appendInteger(raw[half...], to: output, at: end)
            let content = end - 3
            var start = 1
            if content < 128 {
                output[2] = UInt8(content)
            } else {
                output[1] = 0x81
                output[2] = UInt8(content)
                start = 0
            }
            output[start] = 0x30
            return body(UnsafeBufferPointer(rebasing: output[start..<end]))
        }
    }

    private static func appendInteger(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>,
        to output: UnsafeMutableBufferPointer<UInt8>,
        at position: Int
    ) -> Int {
        var first = bytes.startIndex
        while first < bytes.endIndex - 1, bytes[first] == 0 { first += 1 }
        let needsZero = bytes[first] >= 0x80
        output[position] = 0x02
        output[position + 1] = UInt8(bytes.endIndex - first + (needsZero ? 1 : 0))
        var write = position + 2
        if needsZero {
            output[write] = 0
            write += 1
        }
        // In one piece: byte by byte this shows beside the whole verification.
        return output[write...].update(fromContentsOf: bytes[first...])
    }

    /// R ‖ S from the DER that OpenSSL has made; nil when it is not of that form.
    static func raw(fromDER der: [UInt8], coordinateByteCount width: Int) -> [UInt8]? {
        var position = der.count > 2 && der[1] == 0x81 ? 3 : 2
        guard der.first == 0x30 else { return nil }
        var result: [UInt8] = []
        for _ in 0..<2 {
            guard position + 1 < der.count, der[position] == 0x02 else { return nil }
            let end = position + 2 + Int(der[position + 1])
            guard end <= der.count else { return nil }
            let number = der[(position + 2)..<end].drop { $0 == 0 }
            guard number.count <= width else { return nil }
            result += [UInt8](repeating: 0, count: width - number.count) + number
            position = end
        }
        return position == der.count ? result : nil
    }
}
