internal import CSodium

/// Bytes of a password: never printed, and overwritten when nobody needs them any more.
final class SecretText: @unchecked Sendable {
    // @unchecked: written by `init` alone.
    private let whole: UnsafeMutableRawBufferPointer
    private let bytes: UnsafeMutableRawBufferPointer
    private let start: UnsafeMutableRawPointer

    /// Room for `capacity` bytes, of which `write` says how many it has filled.
    init(capacity: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        start = .allocate(byteCount: max(capacity, 1), alignment: 1)
        let room = UnsafeMutableRawBufferPointer(start: start, count: max(capacity, 0))
        room.initializeMemory(as: UInt8.self, repeating: 0)
        whole = room
        bytes = UnsafeMutableRawBufferPointer(rebasing: room[..<min(max(write(room), 0), room.count)])
    }

    convenience init(_ source: UnsafeRawBufferPointer) {
        self.init(capacity: source.count) { room in
            room.copyMemory(from: source)
            return source.count
        }
    }

    deinit {
        sodium_memzero(start, whole.count)
        start.deallocate()
    }

    var count: Int { bytes.count }

    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(bytes))
    }

    /// For functions of C that take no null pointer, even for nothing.
    func withText<Result>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
        defer { withExtendedLifetime(self) {} }
        return body(UnsafePointer(start.assumingMemoryBound(to: CChar.self)), count)
    }

    func isSameBytes(as other: SecretText) -> Bool {
        count == other.count && sodium_memcmp(start, other.start, count) == 0
    }
}
