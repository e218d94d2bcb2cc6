internal import Glibc
internal import PosternBase
internal import PosternCrypto

/// What runs, and what the system says of the process, under the names that all programs use for it.
enum ProcessMetrics {
    private static let build = MetricFamily(
        "postern_build_info", .gauge, by: ["version", "swift", "openssl"],
        "1; the version of the program, the Swift that it was built with, the OpenSSL that it runs with.")
    private static let processor = MetricFamily(
        "process_cpu_seconds_total", .counter, "User and system time in seconds.")
    private static let resident = MetricFamily(
        "process_resident_memory_bytes", .gauge,
        "Memory that is there for the process, files that it has mapped included.")
    private static let openDescriptors = MetricFamily("process_open_fds", .gauge, "Open descriptors.")
    private static let mostDescriptors = MetricFamily(
        "process_max_fds", .gauge, "Descriptors that may be open (RLIMIT_NOFILE).")
    private static let start = MetricFamily(
        "process_start_time_seconds", .gauge, "When the process began, in seconds since 1970.")

    static func write(to text: inout MetricsText) {
        text.family(build) { $0.add([Program.version, swiftVersion, CryptoLibrary.number], 1) }
        text.family(processor) { $0.add([], nanoseconds: processorTime()) }
        // What the system does not tell has no series.
        text.family(resident) { series in residentBytes().map { series.add([], $0) } }
        text.family(openDescriptors) { series in descriptorCount().map { series.add([], $0) } }
        text.value(mostDescriptors, Int64(clamping: DescriptorLimit.current().soft))
        text.family(start) { series in startTime().map { series.add([], nanoseconds: $0) } }
    }

    private static var swiftVersion: String {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }

    private static func processorTime() -> UInt64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

    /// The second number of `statm`, in pages (proc(5)).
    private static func residentBytes() -> Int64? {
        guard let pages = numbers(in: "/proc/self/statm").dropFirst().first else { return nil }
        return pages.multipliedReportingOverflow(by: Int64(sysconf(Int32(_SC_PAGESIZE)))).partialValue
    }

    private static func descriptorCount() -> Int64? {
        var status = stat()
        // The kernel says how many since 6.2; before, they have to be listed.
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Int64(status.st_size) }
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count: Int64 = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of the list itself.
        return max(0, count - 3)
    }

    /// The 22nd field of `stat` counts ticks since the machine was started; the second, a name in parentheses, may hold anything.
    private static func startTime() -> UInt64? {
        let text = contents("/proc/self/stat")
        guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[(end + 1)...].split(separator: 0x20)
        let perSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
        guard fields.count > 19, perSecond > 0,
            let ticks = DecimalDigits.value(of: String(decoding: fields[19], as: UTF8.self))
        else { return nil }
        let sinceBoot =
            UInt64(clamping: ticks / perSecond) &* 1_000_000_000
            &+ UInt64(clamping: ticks % perSecond) &* 1_000_000_000 / UInt64(perSecond)
        // Both clocks go on while the machine sleeps, so their difference is when it was started.
        return nanoseconds(CLOCK_REALTIME) &- nanoseconds(CLOCK_BOOTTIME) &+ sinceBoot
    }

    private static func numbers(in path: String) -> [Int64] {
        contents(path).split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }).compactMap {
            DecimalDigits.value(of: String(decoding: $0, as: UTF8.self))
        }
    }

    /// The beginning of a small file of /proc; empty where it cannot be read.
    private static func contents(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
