internal import Glibc
internal import PosternBase
internal import PosternHTTP

/// Settings that were found good, in the units of libcurl.
struct CheckedSettings: Sendable {
    let connectMilliseconds: Int
    let totalMilliseconds: Int
    let values: NetworkSettings

    init(_ settings: NetworkSettings) throws(NetworkSettingsError) {
        connectMilliseconds = try Self.milliseconds(settings.connectTimeout, 1...60_000, "connectTimeout")
        totalMilliseconds = try Self.milliseconds(settings.totalTimeout, 1...300_000, "totalTimeout")
        try Self.check(settings.maximumBodyBytes, 1...16_777_216, "maximumBodyBytes")
        try Self.check(settings.maximumHeadBytes, 1_024...1_048_576, "maximumHeadBytes")
        try Self.check(settings.concurrentRequests, 1...256, "concurrentRequests")
        try Self.check(settings.waitingRequests, 0...65_536, "waitingRequests")
        if let file = settings.caFile { try Self.checkFile(file) }
        if let proxy = settings.proxy { try Self.checkProxy(proxy) }
        values = settings
    }

    private static func milliseconds(
        _ duration: Duration,
        _ range: ClosedRange<Int>,
        _ name: String
    ) throws(NetworkSettingsError) -> Int {
        guard duration >= .milliseconds(range.lowerBound), duration <= .milliseconds(range.upperBound) else {
            throw NetworkSettingsError(
                name, "\(name) must be from \(range.lowerBound) to \(range.upperBound) milliseconds.")
        }
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    private static func check(
        _ value: Int,
        _ range: ClosedRange<Int>,
        _ name: String
    ) throws(NetworkSettingsError) {
        guard range.contains(value) else {
            throw NetworkSettingsError(
                name, "\(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound).")
        }
    }

    /// A file that is missing would otherwise be found at the first request only.
    private static func checkFile(_ path: String) throws(NetworkSettingsError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw NetworkSettingsError("caFile", "caFile is no path: name a PEM file, or leave it out.")
        }
        // Without O_NONBLOCK a named pipe would hold the program.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw NetworkSettingsError("caFile", "caFile \(Excerpt.quote(path)) cannot be read: \(reason).")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw NetworkSettingsError("caFile", "caFile \(Excerpt.quote(path)) is not a regular file.")
        }
    }

    private static func checkProxy(_ proxy: String) throws(NetworkSettingsError) {
        // Never quoted: somebody may have written a password into it.
        guard let target = try? TargetURL(proxy), target.port != nil, target.path.isEmpty || target.path == "/" else {
            throw NetworkSettingsError(
                "proxy",
                "proxy must be http:// or https://, a host, a colon and a port, and nothing else;"
                    + " a user name and a password are not supported."
            )
        }
    }
}
