internal import CLinux
internal import Glibc
internal import PosternBase
internal import PosternCrypto
internal import PosternJOSE
internal import PosternTransport

/// What the doctor sees of the machine; a value, so that a test can show it another one.
struct Surroundings: Sendable {
    enum ClockState: Sendable, Equatable {
        /// With the greatest error that the kernel reckons with.
        case synchronized(maximumError: Duration)
        case unsynchronized
        /// With the system's error number.
        case unknown(Int32)
    }

    var time: TimeSource
    /// When the program was made, in seconds since 1970; nil when nobody can say.
    var programDate: Int64?
    var clock: ClockState
    /// 0, or the error number of a question for randomness that does not wait.
    var randomness: Int32
    var cryptoVersion: String
    var isCryptoSupported: Bool
    var failingAlgorithms: [String]
    var authorities: SystemAuthorities
    var user: UInt32
    var process: Int32
    /// The soft and the hard limit of descriptors.
    var descriptors: (soft: UInt64, hard: UInt64)
    /// The first port that does not need a privilege.
    var firstFreePort: Int
    var variables: [String: String]
    /// 0, or why the path cannot be written by this process.
    var writeFailure: @Sendable (String) -> Int32
    /// What is free for users at the path.
    var freeBytes: @Sendable (String) -> UInt64?

    static func ofThisProcess() -> Surroundings {
        Surroundings(
            time: .system,
            programDate: modificationTime("/proc/self/exe"),
            clock: clockState(),
            randomness: randomnessFailure(),
            cryptoVersion: CryptoLibrary.version,
            isCryptoSupported: CryptoLibrary.isSupported,
            failingAlgorithms: SignatureSelfCheck.failingAlgorithms().map(\.name),
            authorities: .ofLibrary,
            user: geteuid(),
            process: getpid(),
            descriptors: DescriptorLimit.current(),
            firstFreePort: firstPort(),
            variables: variables(["LISTEN_FDS", "LISTEN_PID", "WATCHDOG_USEC", "WATCHDOG_PID", "NOTIFY_SOCKET"]),
            writeFailure: { access($0, W_OK) == 0 ? 0 : errno },
            freeBytes: free
        )
    }

    private static func modificationTime(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
    }

    private static func clockState() -> ClockState {
        var state = postern_clock_state()
        let result = postern_clock_adjust(&state)
        guard result >= 0 else { return .unknown(errno) }
        guard result != POSTERN_CLOCK_ERROR else { return .unsynchronized }
        return .synchronized(maximumError: .microseconds(state.maximum_error))
    }

    private static func randomnessFailure() -> Int32 {
        var byte: UInt8 = 0
        return postern_random(&byte, 1, 1) == 1 ? 0 : errno
    }

    private static func firstPort() -> Int {
        let path = "/proc/sys/net/ipv4/ip_unprivileged_port_start"
        let bytes = try? InputFile.contents(of: Array(path.utf8), named: path, upTo: 16)
        let digits = bytes.map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
        return digits.flatMap { Int($0) } ?? 1024
    }

    private static func variables(_ names: [String]) -> [String: String] {
        names.reduce(into: [:]) { $0[$1] = getenv($1).map { String(cString: $0) } }
    }

    @Sendable private static func free(_ path: String) -> UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : bytes
    }
}
