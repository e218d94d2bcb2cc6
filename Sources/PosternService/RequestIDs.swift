internal import PosternBase
internal import PosternHTTP

/// The names of requests, for finding one in the logs of both sides: the caller's own, or one that is made here.
struct RequestIDs: Sendable {
    static let field = "X-Request-Id"
    private static let maximumByteCount = 128

    private let start: [UInt8]
    private let count = Lock(UInt64(0))

    init(_ random: RandomSource) { start = Array(Hex.encode(random.bytes(8)).utf8) }

    func name(_ fields: ReceivedFields) -> String {
        if let given = fields.single(Self.field), Self.isSafe(given) { return given }
        return next()
    }

    /// It goes into a header field and into logs, so nothing in it may mean anything there.
    static func isSafe(_ text: String) -> Bool {
        (1...maximumByteCount).contains(text.utf8.count) && text.utf8.allSatisfy(isSafe)
    }

    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/+=@".utf8.contains(byte)
        }
    }

    /// Unlike any other of this process, and with all likelihood of any process.
    func next() -> String {
        var number = count.withLock { count in
            count &+= 1
            return count
        }
        return String(unsafeUninitializedCapacity: start.count + 16) { text in
            for (place, byte) in start.enumerated() { text[place] = byte }
            for place in stride(from: start.count + 15, through: start.count, by: -1) {
                text[place] = Hex.digit(UInt8(truncatingIfNeeded: number & 15))
                number >>= 4
            }
            return start.count + 16
        }
    }
}
