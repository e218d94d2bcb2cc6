internal import Glibc
internal import PosternBase

/// Finds the files that paths stand for.
struct VectorFiles {
    enum Found {
        case file(String)
        case nothing(path: String, why: String)
    }

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    /// What was met already: a file that two paths lead to runs once, and a folder linked into itself ends.
    private var met: Set<Identity> = []
    private(set) var found: [Found] = []

    /// The file itself, or all files called `*.json` and `*.rsp` in the folder and the folders inside it, in order.
    mutating func add(_ path: String) {
        guard let status = Self.status(of: path) else {
            found.append(.nothing(path: path, why: Self.systemMessage()))
            return
        }
        guard Self.isFolder(status) else {
            addFile(path, status)
            return
        }
        let before = found.count
        addFolder(path, status)
        // Whatever a folder was named for, it was not to run nothing.
        if found.count == before { found.append(.nothing(path: path, why: "no new *.json or *.rsp file in it")) }
    }

    private mutating func addFile(_ path: String, _ status: stat) {
        if met.insert(Self.identity(status)).inserted { found.append(.file(path)) }
    }

    private mutating func addFolder(_ path: String, _ status: stat) {
        guard met.insert(Self.identity(status)).inserted else { return }
        var hasUnreadableName = false
        guard let names = Self.names(in: path, &hasUnreadableName) else {
            found.append(.nothing(path: path, why: Self.systemMessage()))
            return
        }
        if hasUnreadableName { found.append(.nothing(path: path, why: "a name in it is not UTF-8")) }
        for name in names {
            let inner = path.utf8.last == 0x2F ? path + name : "\(path)/\(name)"
            guard let status = Self.status(of: inner) else {
                // Whatever cannot be looked at might have been a folder of vectors.
                found.append(.nothing(path: inner, why: Self.systemMessage()))
                continue
            }
            if Self.isFolder(status) {
                addFolder(inner, status)
            } else if Self.isVectorName(name) {
                addFile(inner, status)
            }
        }
    }

    private static func isVectorName(_ name: String) -> Bool {
        [".json", ".rsp"].contains {
            name.utf8.count > $0.utf8.count && name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
    }

    /// nil when the folder cannot be read. A name that is no UTF-8 is left out, and told.
    private static func names(in path: String, _ hasUnreadableName: inout Bool) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name else {
                hasUnreadableName = true
                continue
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

    private static func identity(_ status: stat) -> Identity {
        Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    private static func systemMessage() -> String { String(cString: strerror(errno)) }

    // MARK: - Reading

    static let maximumSize = 256 << 20

    static func read(_ path: String) throws(VectorFault) -> [UInt8] {
        // Without O_NONBLOCK a named pipe would hold the run up for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw VectorFault("It cannot be read: \(systemMessage()).") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw VectorFault("It is not a regular file.")
        }
        guard status.st_size <= maximumSize else { throw VectorFault("It is larger than 256 MiB.") }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw VectorFault("It cannot be read: \(systemMessage()).") }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= maximumSize else { throw VectorFault("It is larger than 256 MiB.") }
        }
        guard !bytes.isEmpty else { throw VectorFault("The file is empty.") }
        return bytes
    }
}
