/// How long, how much and whom to trust when key sets are fetched; the defaults suit that.
public struct NetworkSettings: Sendable, Equatable {
    /// For name, connection and TLS together; 1 ms to 60 s.
    public var connectTimeout: Duration = .seconds(2)
    /// From the call to the last byte, a wait behind other requests included; 1 ms to 5 min.
    public var totalTimeout: Duration = .seconds(5)
    /// Bytes of an answer's body, its transfer coding removed; 1 to 16 MiB.
    public var maximumBodyBytes = 262_144
    /// Bytes of an answer's status line, header fields, interim answers and trailers together; 1 KiB to 1 MiB.
    ///
    /// No single line may have 100 KiB or more, whatever this says.
    public var maximumHeadBytes = 65_536
    /// Requests under way at the same time; 1 to 256.
    public var concurrentRequests = 16
    /// Requests that wait behind them; 0 to 65,536. One more fails at once.
    public var waitingRequests = 1_024
    /// A PEM file of the authorities to trust instead of the system's; nil for the system's.
    public var caFile: String?
    /// The proxy for https, such as `http://proxy.example:3128`; nil for none. The port must be there.
    public var proxy: String?
    /// Whether `http` is allowed to a loopback literal (127.0.0.0/8 or `[::1]`); for tests and local stand-ins.
    public var allowsInsecureLoopback = false

    /// The defaults.
    public init() {}
}

/// A setting that the client cannot work with.
package struct NetworkSettingsError: Error, Sendable, Equatable {
    /// The name of the member of `NetworkSettings`, such as `caFile`.
    package let setting: String
    /// What is wrong and what to do, in English.
    package let message: String

    init(_ setting: String, _ message: String) {
        self.setting = setting
        self.message = message
    }
}
