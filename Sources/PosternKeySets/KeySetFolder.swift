internal import Glibc
package import PosternBase

/// The folder with the copies of key sets, one file a source.
///
/// Whoever can write there can make us trust keys, so nothing is believed that others could have written.
package struct KeySetFolder: Sendable {
    static let largestFile = KeySetLimits.largestBody + 16_384
    /// Seconds after which an unfinished file is nobody's: its writer was killed.
    private static let unfinishedAge = 60

    let path: String
    private let random: RandomSource

    package init(path: String, random: RandomSource = .system) {
        self.path = path
        self.random = random
    }

    /// The copy for `source`; nil when there is none.
    package func read(for source: String) throws(DiskCopyFault) -> StoredKeySet? {
        try copy(for: source, owner: geteuid()) { folder in
            removeUnfinished(Self.fileName(of: source), in: folder)
        }
    }

    /// The same for a program of the user `owner`, and nothing is tidied.
    func look(for source: String, owner: uid_t) throws(DiskCopyFault) -> StoredKeySet? {
        try copy(for: source, owner: owner) { _ in }
    }

    private func copy(
        for source: String,
        owner: uid_t,
        _ tidy: (borrowing FileDescriptor) -> Void
    ) throws(DiskCopyFault) -> StoredKeySet? {
        let name = Self.fileName(of: source)
        let bytes: [UInt8]
        do throws(FileFailure) {
            let folder = try open(owner: owner)
            tidy(folder)
            // Without O_NONBLOCK a FIFO would hold us up for ever.
            let file = try FileDescriptor(name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let status = try file.status()
            try Self.check(status, S_IFREG, owner)
            guard status.st_size <= Self.largestFile else { throw FileFailure(.tooLarge, "it is too large") }
            bytes = try file.read(upTo: Self.largestFile + 1)
            guard bytes.count <= Self.largestFile else { throw FileFailure(.tooLarge, "it is too large") }
        } catch {
            if error.number == ENOENT { return nil }
            throw fault(name, error.code, error.text)
        }
        do throws(DiskCopyFault) {
            let stored = try StoredKeySet(bytes)
            guard stored.source.isSameBytes(as: source) else {
                throw DiskCopyFault(.otherSource, "it is of \(Excerpt.quote(stored.source))")
            }
            return stored
        } catch {
            throw fault(name, error.code, error.message)
        }
    }

    /// Puts the copy in the place of the one before: whenever the machine stops, one of both is there and whole.
    ///
    /// One that was asked for later stays: another process may have had a faster answer. `now` is the second since 1970.
    package func write(_ stored: StoredKeySet, now: Int64) throws(DiskCopyFault) {
        let name = Self.fileName(of: stored.source)
        do throws(FileFailure) {
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw .last() }
            let folder = try open(owner: geteuid())
            // Who writes at this moment has asked at about the same time.
            guard flock(folder.number, LOCK_EX | LOCK_NB) == 0 else { return }
            // A child between fork and exec has the descriptor too, and with it the lock.
            defer { flock(folder.number, LOCK_UN) }
            guard !isOlder(stored, name, now) else { return }
            let unfinished = Self.prefix(name) + Hex.encode(random.bytes(8))
            do throws(FileFailure) {
                try write(stored.bytes, to: unfinished, in: folder)
                guard renameat(folder.number, unfinished, folder.number, name) == 0 else { throw .last() }
            } catch {
                unlinkat(folder.number, unfinished, 0)
                throw error
            }
            // The name is safe only when the folder is.
            try folder.synchronize()
        } catch {
            throw fault(name, error.code, error.text)
        }
    }

    /// Whether the copy that is there was asked for later. One from the future counts for nothing: some clock was wrong.
    private func isOlder(_ stored: StoredKeySet, _ name: String, _ now: Int64) -> Bool {
        guard let present = try? read(for: stored.source) else { return false }
        return present.fetchedAt > stored.fetchedAt && present.fetchedAt <= now
    }

    private func write(_ bytes: [UInt8], to name: String, in folder: borrowing FileDescriptor) throws(FileFailure) {
        let file = try FileDescriptor(name, in: folder, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        try file.write(bytes)
        try file.synchronize()
    }

    private func open(owner: uid_t) throws(FileFailure) -> FileDescriptor {
        // A link to a folder is followed (systemd makes one for a DynamicUser); what counts is whose the folder is.
        let folder = try FileDescriptor(path, O_RDONLY | O_DIRECTORY)
        do throws(FileFailure) {
            try Self.check(try folder.status(), S_IFDIR, owner)
        } catch {
            throw FileFailure(error.code, "of its folder: \(error.text)")
        }
        return folder
    }

    private static func check(_ status: stat, _ type: mode_t, _ owner: uid_t) throws(FileFailure) {
        guard status.st_mode & S_IFMT == type else { throw FileFailure(.notAFile, "it is not a file of its own") }
        guard status.st_uid == owner else {
            throw FileFailure(.foreignOwner, "it belongs to user \(status.st_uid), and this program runs as \(owner)")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw FileFailure(.writableByOthers, "its mode lets others write it")
        }
    }

    /// The fault with the name of the file.
    func named(_ fault: DiskCopyFault, _ source: String) -> DiskCopyFault {
        self.fault(Self.fileName(of: source), fault.code, fault.message)
    }

    private func fault(_ name: String, _ code: DiskCopyFault.Code, _ text: String) -> DiskCopyFault {
        DiskCopyFault(code, "The copy \(Excerpt.quote("\(path)/\(name)")): \(text). \(Self.advice(code))")
    }

    private static func advice(_ code: DiskCopyFault.Code) -> String {
        switch code {
        case .damaged, .tooLarge, .otherSource, .tooOld:
            "Nothing is to be done: the next set that is fetched replaces it."
        case .inTheFuture: "Check the clock; the next set that is fetched replaces it."
        case .notAFile: "Find out who put it there, and take it away."
        case .foreignOwner: "Give both, the file and its folder, to the user that the program runs as."
        case .writableByOthers: "Make the file 0600 and its folder 0700, and look at who could write there."
        case .system: "Look at rights, room and the folders above it."
        default: "Errors.md says what the code means."
        }
    }

    // MARK: - Names

    /// A name that tells sources apart: the readable part of the URL, and a number of all of it (64-bit FNV-1a). Should two
    /// have the same one all the same, the URL inside does not match.
    package static func fileName(of source: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in source.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let readable = source.utf8.prefix(100).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "-")
            }
        }
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * UInt64($0))) }
        return "\(String(decoding: readable, as: UTF8.self)).\(Hex.encode(bytes)).keys"
    }

    private static func prefix(_ name: String) -> String { ".\(name).new-" }

    /// Files that a killed writer has left.
    private func removeUnfinished(_ name: String, in folder: borrowing FileDescriptor) {
        guard let listing = opendir(path) else { return }
        defer { closedir(listing) }
        let prefix = Self.prefix(name)
        while let entry = readdir(listing) {
            // The record may be shorter than the type, so the name is read where it stands.
            guard let place = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let found = String(cString: UnsafeRawPointer(entry).advanced(by: place).assumingMemoryBound(to: CChar.self))
            var status = stat()
            guard found.utf8.starts(with: prefix.utf8),
                fstatat(folder.number, found, &status, AT_SYMLINK_NOFOLLOW) == 0,
                time(nil) - status.st_mtim.tv_sec > Self.unfinishedAge
            else { continue }
            unlinkat(folder.number, found, 0)
        }
    }
}
