internal import Glibc

/// One of a few groups of threads. What many threads use is kept once for each of them, under a lock or a turn of its own: threads that run
/// at once seldom reach for the same memory then, which would cost them more than what the lock guards.
///
/// Which group a thread is in changes nothing but speed.
package enum ThreadGroup {
    package static let count = 16

    /// That of the calling thread, from 0.
    package static var current: Int {
        // Threads lie one stack apart, so the low bits of their places say nothing.
        Int(truncatingIfNeeded: (UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) &>> 60)
    }

    /// A place for each group.
    package static func places<Place>(_ make: () -> Place) -> [Place] { (0..<count).map { _ in make() } }

    /// As much memory as two cores may share without knowing, to stand behind what a group changes.
    package struct Padding: Sendable {
        private let bytes = InlineArray<16, UInt64>(repeating: 0)

        package init() {}
    }
}
