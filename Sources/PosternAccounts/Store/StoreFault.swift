/// Why a store could not do what it was asked for; nothing of it was done then, unless it says so.
package struct StoreFault: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// The disk or the quota is full.
        case full = "store_full"
        /// The file or its folder cannot be written.
        case readOnly = "store_read_only"
        /// Another process holds the file.
        case locked = "store_locked"
        /// What is written there makes no sense.
        case damaged = "store_damaged"
        /// More is waiting than the queue holds; the same may be asked again soon.
        case busy = "store_busy"
        /// Anything else: the device, the library, a store that has been closed.
        case unavailable = "store_unavailable"
    }

    package let reason: Reason
    /// What is wrong and what to do, in English; never holds what was to be stored.
    package let message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
