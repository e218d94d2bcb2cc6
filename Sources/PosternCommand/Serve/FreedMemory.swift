internal import CLinux

/// Memory that the daemon has freed and keeps for what comes next.
enum FreedMemory {
    private static let bytes: Int32 = 1 << 20

    /// Lets malloc keep up to a mebibyte of what is freed, and take what is smaller from what it keeps.
    ///
    /// By itself it asks the system for each piece of 128 KiB and gives it back at once: each page of a long list of tokens costs
    /// a page fault then (`Docs/Performance.md`).
    static func keep() {
        _ = postern_malloc_option(POSTERN_MALLOC_MAP_THRESHOLD, bytes)
        _ = postern_malloc_option(POSTERN_MALLOC_TRIM_THRESHOLD, bytes)
    }
}
