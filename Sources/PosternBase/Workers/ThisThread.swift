internal import Glibc

/// What a thread that works in the background does first.
enum ThisThread {
    static func prepare(name: String, niceness: Int32) {
        // Signals are the business of other threads.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        // On Linux the number 0 stands for the calling thread alone. It is worth less where a sandbox forbids it, no more.
        let process = Int32(truncatingIfNeeded: PRIO_PROCESS.rawValue)
        _ = setpriority(process, 0, min(getpriority(process, 0) + niceness, 19))
        setName(name)
    }

    /// The function for it is one of GNU's, which Swift does not see.
    private static func setName(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let text = Array(name.utf8.prefix(15))
        _ = write(file, text, text.count)
    }
}
