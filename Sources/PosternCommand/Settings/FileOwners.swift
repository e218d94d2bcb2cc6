internal import Glibc
internal import PosternBase

/// Whose files may decide who is let in: root's and those of the user that runs the daemon. Everybody else could put another file in
/// their place, be it theirs or only a folder above it.
struct FileOwners {
    let user: uid_t
    /// The number by which the kernel calls owners that are none of this container's users, where it has no user of that number:
    /// nobody in here can be them.
    let outsider: uid_t?

    static var ofProcess: FileOwners { FileOwners(user: geteuid(), outsider: unmappedUser()) }

    /// What is wrong with the owner of a file, for a sentence that the name of a setting begins.
    func fault(of status: stat) -> String? {
        guard !isTrusted(status.st_uid) else { return nil }
        return "is a file of the user \(status.st_uid), who could put another one there: \(demand)"
    }

    private func isTrusted(_ owner: uid_t) -> Bool { owner == 0 || owner == user || owner == outsider }

    private var demand: String { "it must be root's or that of the user who runs the daemon, \(user)" }

    // MARK: - Folders

    private static let mostLinks = 40

    /// What is wrong with the folders on the way to the absolute `path`, links followed. What is not there is for others to miss.
    func fault(above path: String) -> String? {
        var way = Way(path)
        if let fault = fault(ofFolder: "/") { return fault }
        var links = 0
        while let place = way.next() {
            guard let state = FileState(place) else { return nil }
            switch state.mode & S_IFMT {
            case S_IFDIR:
                if let fault = fault(ofFolder: place, state) { return fault }
            case S_IFLNK:
                guard isTrusted(state.owner) else {
                    return "goes by the link \(Excerpt.quote(place)) of the user \(state.owner)"
                }
                links += 1
                guard links <= Self.mostLinks, let target = Self.target(of: place) else { return nil }
                way.follow(target)
            default: return nil
            }
        }
        return nil
    }

    private func fault(ofFolder path: String) -> String? {
        FileState(path).flatMap { fault(ofFolder: path, $0) }
    }

    /// Below one with the sticky bit nobody can take away what is another's.
    private func fault(ofFolder path: String, _ state: FileState) -> String? {
        let start = "lies below \(Excerpt.quote(path)), "
        guard isTrusted(state.owner) else {
            return start + "a folder of the user \(state.owner), who could put another file there: \(demand)"
        }
        guard state.mode & 0o002 != 0, state.mode & S_ISVTX == 0 else { return nil }
        return start + "a folder to which every user may write: chmod o-w"
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    // MARK: - Containers

    private static func unmappedUser() -> uid_t? {
        guard let outsider = numbers("/proc/sys/kernel/overflowuid").first?.first, let number = uid_t(exactly: outsider)
        else { return nil }
        let ranges = numbers("/proc/self/uid_map")
        guard !ranges.isEmpty else { return nil }
        let isMapped = ranges.contains { range in
            range.count == 3 && range[0] <= outsider && outsider - range[0] < range[2]
        }
        return isMapped ? nil : number
    }

    /// The numbers of each line.
    private static func numbers(_ path: String) -> [[Int64]] {
        guard let bytes = try? InputFile.contents(of: Array(path.utf8), named: path, upTo: 65_536) else { return [] }
        return bytes.split(separator: 0x0A).map { line in
            line.split(separator: 0x20).compactMap { DecimalDigits.value(of: String(decoding: $0, as: UTF8.self)) }
        }
    }
}

/// A path, part after part. A slash before a combining mark is one character, but a slash all the same.
private struct Way {
    private var place = ""
    /// The next one is the last.
    private var parts: [String]

    init(_ path: String) { parts = Self.parts(path).reversed() }

    private static func parts(_ path: String) -> [String] {
        path.utf8.split(separator: 0x2F).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The path up to the next part; nil at the end.
    mutating func next() -> String? {
        while let part = parts.popLast() {
            switch part {
            case ".": continue
            case "..": leave()
            default:
                place += "/\(part)"
                return place
            }
        }
        return nil
    }

    /// Goes on at the target of the link that was the last part.
    mutating func follow(_ target: String) {
        if target.utf8.first == 0x2F { place = "" } else { leave() }
        parts += Self.parts(target).reversed()
    }

    private mutating func leave() { place = place.utf8.lastIndex(of: 0x2F).map { String(place[..<$0]) } ?? "" }
}
