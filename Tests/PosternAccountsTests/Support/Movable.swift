import PosternBase

/// A clock that a test moves.
final class MovableClock: Sendable {
    private let seconds: Lock<Int64>

    init(_ seconds: Int64) { self.seconds = Lock(seconds) }

    var now: Int64 { seconds.withLock { $0 } }
    var source: TimeSource { TimeSource { self.now } }

    func move(by seconds: Int64) { self.seconds.withLock { $0 += seconds } }
    func set(_ seconds: Int64) { self.seconds.withLock { $0 = seconds } }
}

extension RandomSource {
    /// Bytes that are the same in each run (SplitMix64).
    static func seeded(_ seed: UInt64) -> RandomSource {
        let state = Lock(seed)
        return RandomSource { count in
            (0..<count).map { _ in
                state.withLock { state in
                    state &+= 0x9E37_79B9_7F4A_7C15
                    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
                    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
                    return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
                }
            }
        }
    }
}
