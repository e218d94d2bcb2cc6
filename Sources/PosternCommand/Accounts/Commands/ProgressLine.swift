internal import Glibc

/// How far long work has come, on standard error and only for who looks at it.
struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1
    private var last = -1

    mutating func show(_ done: Int, of all: Int) {
        let percent = all > 0 ? done * 100 / all : 100
        guard isShown, percent != last else { return }
        last = percent
        StandardStreams.complain("\r\(percent) %")
    }

    /// What cannot be counted.
    mutating func show(_ words: String) {
        guard isShown else { return }
        last = 0
        StandardStreams.complain("\r\u{1B}[K\(words)")
    }

    mutating func end() {
        guard last >= 0 else { return }
        StandardStreams.complain("\r\u{1B}[K")
        last = -1
    }
}
