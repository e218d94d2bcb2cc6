import Glibc

/// A run of `postern serve` and what the system says about it.
final class ServedProcess {
    private(set) var id: pid_t = 0
    /// Those that serve.
    let threads: Int
    private let log: String

    /// Starts it; what it tells goes to `log`.
    init(_ program: String, _ threads: Int, settings: String, log: String) throws {
        self.threads = threads
        self.log = log
        unlink(log)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let words = [program, "serve", "--config", settings]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let result = posix_spawn(&id, program, &actions, nil, &arguments, environ)
        guard result == 0 else { throw HTTPLoad.Failure(what: "\(program): \(String(cString: strerror(result)))") }
    }

    deinit { end() }

    /// Ends it and waits.
    func end() {
        guard id > 0 else { return }
        kill(id, SIGTERM)
        waitpid(id, nil, 0)
        id = 0
    }

    /// The port that the system chose for it, once it listens there.
    func port() throws -> UInt16 {
        for _ in 0..<5_000 {
            let words = text(of: log).split(separator: "\"port\":").dropFirst()
            if let port = words.first.flatMap({ UInt16($0.prefix { $0.isNumber }) }) { return port }
            usleep(1_000)
        }
        throw HTTPLoad.Failure(what: "it does not listen: \(text(of: log))")
    }

    /// A connection, as soon as it takes one.
    func connect(_ place: ServerPlace) throws -> Int32 {
        for _ in 0..<50_000 {
            if let descriptor = try? place.connect() { return descriptor }
            usleep(100)
        }
        throw HTTPLoad.Failure(what: "it does not listen: \(text(of: log))")
    }

    /// Seconds of CPU time of all its threads.
    func cpuTime() throws -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw HTTPLoad.Failure(what: "it has ended: \(text(of: log))")
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// MiB of memory that is its own.
    func ownMemory() throws -> Double {
        let words = text(of: "/proc/\(id)/status").split(separator: "RssAnon:").dropFirst()
        let number = words.first?.split(whereSeparator: { $0 == " " || $0 == "\t" }).first.flatMap { Double($0) }
        guard let number else { throw HTTPLoad.Failure(what: "it has ended: \(text(of: log))") }
        return number / 1024
    }

    private func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }
}
