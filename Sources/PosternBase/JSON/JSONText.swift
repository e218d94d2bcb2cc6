/// The bytes of a JSON text, and after reading the tape over them, in one piece of memory.
///
/// Verifying a token reads two such texts; one allocation for each instead of two, and one reference to count.
final class JSONStorage: ManagedBuffer<JSONStorage.Layout, JSONToken> {
    struct Layout {
        let byteCount: Int
        let tapeCapacity: Int
        /// 0 until the text has been read.
        var tokenCount = 0
    }

    /// Room for a text and a tape; the bytes are still to be written.
    static func make(byteCount: Int, tapeCapacity: Int) -> JSONStorage {
        let stride = MemoryLayout<JSONToken>.stride
        let capacity = tapeCapacity + (byteCount + stride - 1) / stride
        let storage = create(minimumCapacity: capacity) { _ in
            Layout(byteCount: byteCount, tapeCapacity: tapeCapacity)
        }
        return unsafeDowncast(storage, to: JSONStorage.self)
    }

    /// The tape stands first, then the bytes.
    @inline(__always)
    func withContents<Result, Failure: Error>(
        _ body: (
            _ bytes: UnsafeMutableBufferPointer<UInt8>, _ tape: UnsafeMutableBufferPointer<JSONToken>
        ) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeMutablePointers { layout, tape throws(Failure) in
            // Copied, not lent for change: many threads may read at once.
            let layout = layout.pointee
            let bytes = UnsafeMutableRawPointer(tape + layout.tapeCapacity).assumingMemoryBound(to: UInt8.self)
            return try body(
                UnsafeMutableBufferPointer(start: bytes, count: layout.byteCount),
                UnsafeMutableBufferPointer(start: tape, count: layout.tapeCapacity)
            )
        }
    }

    // Through pointers, since the header itself is watched for access by two at run time.

    var hasBeenRead: Bool { withUnsafeMutablePointerToHeader { $0.pointee.tokenCount > 0 } }

    /// So many values stand on the tape now.
    func note(_ tokenCount: Int) { withUnsafeMutablePointerToHeader { $0.pointee.tokenCount = tokenCount } }

    /// The values that were read, on the tape, and the bytes.
    @inline(__always)
    func withReadContents<Result>(
        _ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ tape: UnsafeBufferPointer<JSONToken>) -> Result
    ) -> Result {
        withUnsafeMutablePointers { layout, tape in
            let layout = layout.pointee
            let bytes = UnsafeRawPointer(tape + layout.tapeCapacity).assumingMemoryBound(to: UInt8.self)
            return body(
                UnsafeBufferPointer(start: bytes, count: layout.byteCount),
                UnsafeBufferPointer(start: tape, count: layout.tokenCount)
            )
        }
    }
}

/// Bytes that may be a JSON text.
///
/// Not `Sendable`: reading writes the tape beside the bytes. What has been read is never written again.
package struct JSONText {
    private let storage: JSONStorage

    /// Few texts hold more values than this, so a short tape is tried first.
    ///
    /// What malloc hands out without a search ends at 1032 bytes. The claims of a sign-in fit when the tape has room for them and
    /// little more; they have 13 to 25 bytes for each value.
    private static func usualTapeCapacity(_ byteCount: Int) -> Int {
        let roomy = byteCount / 8 + 8
        let fitting = (quickAllocation - byteCount) / MemoryLayout<JSONToken>.stride
        return fitting < roomy && fitting > byteCount / 18 ? fitting : roomy
    }

    /// Less what a heap object and the layout take.
    private static let quickAllocation = 1032 - 16 - MemoryLayout<JSONStorage.Layout>.stride

    package init(_ bytes: some Collection<UInt8>) { self.init(bytes, maximumValues: .max) }

    init(_ bytes: some Collection<UInt8>, maximumValues: Int) {
        let capacity = min(Self.usualTapeCapacity(bytes.count), maximumValues)
        storage = .make(byteCount: bytes.count, tapeCapacity: capacity)
        storage.withContents { target, _ in
            let isCopied: Void? = bytes.withContiguousStorageIfAvailable { source in
                if let start = source.baseAddress { target.baseAddress?.initialize(from: start, count: source.count) }
            }
            if isCopied == nil { _ = target.initialize(from: bytes) }
        }
    }

    /// The bytes that `text` stands for; nil when it is not canonical base64url.
    package init?(base64URL text: UnsafeBufferPointer<UInt8>) {
        guard let count = Base64URL.decodedCount(of: text.count) else { return nil }
        storage = .make(byteCount: count, tapeCapacity: Self.usualTapeCapacity(count))
        guard storage.withContents({ bytes, _ in Base64URL.decode(text, into: bytes) }) else { return nil }
    }

    package var count: Int { storage.header.byteCount }

    /// A copy of the bytes.
    package var bytes: [UInt8] { storage.withContents { bytes, _ in Array(bytes) } }

    /// Reads the bytes as one JSON value (RFC 8259, strictly; see `JSONReader`).
    package func read() throws(JSONError) -> JSONDocument { try read(maximumMembers: .max, maximumValues: .max) }

    func read(maximumMembers: UInt32, maximumValues: Int) throws(JSONError) -> JSONDocument {
        if storage.hasBeenRead { return JSONDocument(storage) }
        if try Self.read(storage, maximumMembers) { return JSONDocument(storage) }
        let capacity = min(JSONReader.sufficientCapacity(count), maximumValues)
        guard capacity > storage.header.tapeCapacity else { throw JSONError.tapeFull }
        let longer = JSONStorage.make(byteCount: count, tapeCapacity: capacity)
        storage.withContents { source, _ in
            longer.withContents { target, _ in _ = target.initialize(from: source) }
        }
        guard try Self.read(longer, maximumMembers) else { throw JSONError.tapeFull }
        return JSONDocument(longer)
    }

    /// False when the tape is too short.
    private static func read(_ storage: JSONStorage, _ maximumMembers: UInt32) throws(JSONError) -> Bool {
        let count = try storage.withContents { bytes, tape throws(JSONError) in
            try JSONReader.read(UnsafeBufferPointer(bytes), onto: tape, maximumMembers: maximumMembers)
        }
        guard let count else { return false }
        storage.note(count)
        return true
    }
}
