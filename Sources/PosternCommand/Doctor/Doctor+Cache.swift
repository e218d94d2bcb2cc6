internal import Glibc
internal import PosternBase

/// The folder for copies of key sets.
extension Doctor {
    /// What copies of all providers may need, and as much again while one is replaced.
    private static let roomForEach: UInt64 = 1 << 20

    func cache(_ settings: ServeSettings) -> [Finding] {
        // What came without TLS is not kept.
        let keeping = settings.providers.filter { $0.isFetching && !$0.network.allowsInsecureLoopback }
        guard !keeping.isEmpty else { return [Finding(.cacheFolderOff, nil, "no provider needs one")] }
        guard let folder = CacheFolder.place(set: settings.cacheFolder) else {
            return settings.cacheFolder == nil
                ? [Finding(.cacheFolderUnknown, nil, "Neither CACHE_DIRECTORY nor XDG_CACHE_HOME nor HOME says where.")]
                : [Finding(.cacheFolderOff, nil, "none, by the settings")]
        }
        return [cache(folder, needed: Self.roomForEach * UInt64(keeping.count))]
    }

    private func cache(_ folder: String, needed: UInt64) -> Finding {
        guard let state = FileState(folder, follows: true) else { return missing(folder) }
        guard state.isFolder else { return Finding(.cacheFolderUnusable, folder, "It is no folder.") }
        guard state.owner == owner(of: folder) else {
            return Finding(
                .cacheFolderForeign, folder, "It belongs to user \(state.owner), and this is \(surroundings.user).")
        }
        guard state.permissions & 0o022 == 0 else {
            return Finding(.cacheFolderOpen, folder, "Others may write there (\(state.words)).")
        }
        if let failure = Self.probe(folder) {
            return Finding(.cacheFolderUnusable, folder, "A file cannot be made there: \(failure).")
        }
        let free = surroundings.freeBytes(folder) ?? .max
        guard free >= needed else {
            return Finding(
                .cacheFolderFull, folder, "free: \(free >> 10) KiB, of \(needed >> 10) KiB that may be needed")
        }
        return Finding(.cacheFolder, folder, "\(state.words), free: \(free >> 20) MiB")
    }

    /// Root looks on behalf of whoever has the folder; everybody else is the one that the daemon would run as.
    func owner(of folder: String) -> UInt32 {
        guard surroundings.user == 0 else { return surroundings.user }
        return FileState(folder, follows: true)?.owner ?? 0
    }

    /// The daemon makes it, with the folders above it, where it may.
    private func missing(_ folder: String) -> Finding {
        var above = FileState.folder(of: folder)
        while FileState(above) == nil, above != "/", above != "." { above = FileState.folder(of: above) }
        let failure = surroundings.writeFailure(above)
        guard failure == 0, FileState(above, follows: true)?.isFolder == true else {
            let why = failure == 0 ? "is no folder" : StandardStreams.explanation(of: failure)
            return Finding(
                .cacheFolderMissing, folder, "It is not there and cannot be made: \(Excerpt.plain(above)): \(why).")
        }
        return Finding(.cacheFolder, folder, "not there yet; the daemon makes it")
    }

    /// Makes a file and takes it away; why that does not go.
    private static func probe(_ folder: String) -> String? {
        let path = "\(folder)/.doctor-\(Hex.encode(RandomSource.system.bytes(8)))"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return StandardStreams.explanation(of: errno) }
        defer {
            close(descriptor)
            unlink(path)
        }
        return StandardStreams.write([0x0A], to: descriptor).map(StandardStreams.explanation)
    }
}
