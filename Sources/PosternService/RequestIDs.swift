internal import PosternBase
internal import PosternHTTP
internal import Synchronization

/// The names of requests, for finding one in the logs of both sides: the caller's own, or one that is made here.
final class RequestIDs: Sendable {
    static let field: StaticString = "X-Request-Id"
    private static let maximumByteCount = 128

    private let start: UInt64
    private let count = Atomic<UInt64>(0)

    init(_ random: RandomSource) { start = random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

    func name(_ fields: ReceivedFields) -> RequestID {
        fields.withSingle(Self.field) { given in
            guard let given, Self.isSafe(given) else { return next() }
            return .given(String(decoding: given, as: UTF8.self))
        }
    }

    /// It goes into a header field and into logs, so nothing in it may mean anything there.
    static func isSafe(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        (1...maximumByteCount).contains(text.count) && text.allSatisfy(isSafe)
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
    func next() -> RequestID { .made(start, count.wrappingAdd(1, ordering: .relaxed).newValue) }
}

/// The name of one request. One that was made here is two numbers until somebody reads it.
enum RequestID: Sendable {
    case given(String)
    /// The number of the process and that of the request, each written with sixteen hex digits.
    case made(UInt64, UInt64)

    var text: String {
        switch self {
        case .given(let text): text
        case .made(let start, let number):
            String(unsafeUninitializedCapacity: 32) { text in
                Self.write(start, number, to: text)
                return 32
            }
        }
    }

    func append(to fields: inout HTTP.Fields) {
        switch self {
        case .given(let text):
            text.utf8Span.span.withUnsafeBufferPointer { _ = fields.append(RequestIDs.field, $0) }
        case .made(let start, let number):
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { text in
                Self.write(start, number, to: text)
                _ = fields.append(RequestIDs.field, UnsafeBufferPointer(text))
            }
        }
    }

    private static func write(_ start: UInt64, _ number: UInt64, to text: UnsafeMutableBufferPointer<UInt8>) {
        Hex.encode(start, into: UnsafeMutableBufferPointer(rebasing: text[..<16]))
        Hex.encode(number, into: UnsafeMutableBufferPointer(rebasing: text[16..<32]))
    }
}
