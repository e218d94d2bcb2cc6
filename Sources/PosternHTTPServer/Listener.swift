/// Where a server waits for connections.
package enum Listener: Sendable, Equatable {
    /// A socket in the file system.
    case unix(UnixSocket)
    /// A port on an address of this machine, `127.0.0.1` or `::1` say. Names are not looked up. Port 0 lets the system choose
    /// (`HTTPServer.port(ofListener:)`).
    case tcp(address: String, port: UInt16)
    /// A socket that is listening already and was handed over by a service manager: the first is 0.
    case inherited(index: Int)
}

/// A socket in the file system, and who may connect to it: whoever may write to its file.
package struct UnixSocket: Sendable, Equatable {
    /// At most 107 bytes. Beside it lies a lock file with `.lock` at the end of its name.
    package var path: String
    /// The permissions of the file; a mode that lets everybody write is refused.
    package var mode: UInt32
    /// The user that owns the file; nil for the one of the process.
    package var owner: UInt32?
    /// The group of the file; nil for the one of the process.
    package var group: UInt32?

    package init(path: String, mode: UInt32 = 0o600, owner: UInt32? = nil, group: UInt32? = nil) {
        self.path = path
        self.mode = mode
        self.owner = owner
        self.group = group
    }
}
