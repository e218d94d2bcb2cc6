internal import Glibc

/// Reads a file line by line, without having all of it in memory.
struct BlocklistFile {
    /// A longer line is no password.
    private static let maximumLine = Password.maximumByteCount
    private static let chunkByteCount = 65_536

    private let path: String

    init(_ path: String) throws(BlocklistError) { self.path = path }

    func forEachLine(_ body: (UnsafeRawBufferPointer) throws(BlocklistError) -> Void) throws(BlocklistError) {
        let file = try open()
        defer { close(file) }
        var chunk = [UInt8](repeating: 0, count: Self.chunkByteCount)
        // What there is of a line that has not ended; one that is too long is not kept.
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            let count = try read(file, &chunk)
            if count == 0 { break }
            for byte in chunk[..<count] {
                // Where one of these stands it is no list of words, but for instance cracklib's packed one.
                if byte == 0 { throw BlocklistError(path, .notText) }
                if byte == UInt8(ascii: "\n") {
                    if !isTooLong { try Self.pass(line, body) }
                    line.removeAll(keepingCapacity: true)
                    isTooLong = false
                } else if line.count < Self.maximumLine {
                    line.append(byte)
                } else {
                    isTooLong = true
                }
            }
        }
        if !isTooLong { try Self.pass(line, body) }
    }

    private static func pass(
        _ line: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(BlocklistError) -> Void
    ) throws(BlocklistError) {
        let count = line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
        try line.withUnsafeBufferPointer { bytes throws(BlocklistError) in
            try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count]))
        }
    }

    private func open() throws(BlocklistError) -> Int32 {
        // Without waiting for the other end of a pipe.
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw BlocklistError(path, errno == ENOENT ? .missing : .unreadable(errno)) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw BlocklistError(path, .notText)
        }
        return file
    }

    private func read(_ file: Int32, _ chunk: inout [UInt8]) throws(BlocklistError) -> Int {
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw BlocklistError(path, .unreadable(errno)) }
        }
    }
}
