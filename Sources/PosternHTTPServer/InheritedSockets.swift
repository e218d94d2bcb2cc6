internal import Glibc

/// The sockets that a service manager handed over: `LISTEN_FDS` says how many, `LISTEN_PID` to which process.
package struct InheritedSockets: Sendable, Equatable {
    /// The descriptor of the first; the others follow it.
    package let first: Int32
    /// How many there are.
    package let count: Int

    /// No sockets.
    package static let none = InheritedSockets(first: 3, count: 0)

    package init(first: Int32, count: Int) {
        self.first = first
        self.count = count
    }

    /// What the two variables say; nothing where they are meant for another process or are no numbers.
    package init(listenFDs: String?, listenPID: String?, first: Int32 = 3) {
        guard let count = listenFDs.flatMap({ UInt16($0) }), listenPID.flatMap({ Int32($0) }) == getpid() else {
            self.init(first: first, count: 0)
            return
        }
        self.init(first: first, count: Int(count))
    }
}
