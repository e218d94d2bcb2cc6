internal import Glibc
internal import PosternBase
internal import PosternJOSE
internal import PosternTokens

/// What the commands read. Nothing is read without a bound: a pipe may never end.
enum InputFile {
    /// The key set in the file `path`; a FIFO will do, and `-` is standard input.
    static func keySet(_ path: [UInt8]) throws(CommandFailure) -> KeySet {
        guard !RawArguments.looksLikeToken(path) else {
            throw .trouble("what was given for the key file looks like a token; name a file with a JWK Set")
        }
        let name = "the key file \(isDash(path) ? "on standard input" : RawArguments.quote(path))"
        let bytes: [UInt8]
        do throws(CommandFailure) {
            bytes = try contents(of: path, named: name, upTo: KeySet.maximumSize + 1)
        } catch {
            hintAtAddress(path)
            throw error
        }
        guard bytes.count <= KeySet.maximumSize else {
            throw .trouble("\(name) is larger than \(KeySet.maximumSize) bytes, so it is no key set")
        }
        do throws(KeySetError) {
            return try KeySet(bytes)
        } catch {
            throw .trouble("\(name) cannot be used. \(error.message)")
        }
    }

    /// Tells who gave an address where the name of a file is wanted.
    private static func hintAtAddress(_ path: [UInt8]) {
        guard !exists(path) else { return }
        if path.starts(with: "https://".utf8) {
            StandardStreams.complain("postern: to ask a server for its keys: postern keys fetch --keys URL\n")
        } else if let slash = path.firstIndex(of: 0x2F), slash > 0, path[..<slash].dropFirst().contains(0x2E) {
            StandardStreams.complain("postern: if this is an address, put https:// before it\n")
        }
    }

    /// The first `limit` bytes of the file `path`, which messages call `name`.
    static func contents(
        of path: [UInt8],
        named name: String,
        upTo limit: Int
    ) throws(CommandFailure) -> [UInt8] {
        try contentsAndStatus(of: path, named: name, upTo: limit).bytes
    }

    /// The same, and what the system says of the file that was read.
    static func contentsAndStatus(
        of path: [UInt8],
        named name: String,
        upTo limit: Int
    ) throws(CommandFailure) -> (bytes: [UInt8], status: stat) {
        let isPipe = !isDash(path) && NamedPipe.isOne(cString(path))
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (isPipe ? O_NONBLOCK : 0)
        let descriptor = isDash(path) ? dup(STDIN_FILENO) : open(cString(path), flags)
        guard descriptor >= 0 else { throw unreadable(name, errno) }
        defer { close(descriptor) }
        if isPipe { NamedPipe.awaitWriter(descriptor, name) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(name, errno) }
        guard [S_IFREG, S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else {
            throw .trouble("\(name) is neither a file nor a pipe")
        }
        var bytes: [UInt8] = []
        if let error = read(descriptor, upTo: limit, into: &bytes) { throw unreadable(name, error) }
        return (bytes, status)
    }

    private static func unreadable(_ name: String, _ error: Int32) -> CommandFailure {
        .trouble("\(name) cannot be read: \(StandardStreams.explanation(of: error))")
    }

    /// The token: the operand as it stands, or standard input without its final newline.
    static func token(_ operand: [UInt8]?) throws(CommandFailure) -> [UInt8] {
        if let operand, !isDash(operand) { return operand }
        if isatty(STDIN_FILENO) == 1 { StandardStreams.complain("Reading the token from standard input.\n") }
        var bytes: [UInt8] = []
        // Room for CR and LF, and one byte more than a token may have.
        if let error = read(STDIN_FILENO, upTo: TokenVerifier.maximumTokenSize + 3, into: &bytes) {
            throw .trouble("the token cannot be read from standard input: \(StandardStreams.explanation(of: error))")
        }
        if bytes.last == 0x0A {
            bytes.removeLast()
            if bytes.last == 0x0D { bytes.removeLast() }
        }
        if bytes.isEmpty { StandardStreams.complain("postern: standard input holds no token\n") }
        return bytes
    }

    /// Tells who gave the name of a file where the token itself is wanted.
    static func hintAtFile(_ operand: [UInt8]?) {
        guard let operand, !isDash(operand), !operand.isEmpty else { return }
        if exists(operand) {
            StandardStreams.complain("postern: TOKEN is the name of a file; to read the token in it: - < FILE\n")
        } else if operand.contains(0x2F) || isFileName(operand) {
            StandardStreams.complain(
                "postern: TOKEN looks like the name of a file, which is not there; to read a token in one: - < FILE\n")
        }
    }

    /// A token has two dots, and no ending like these.
    private static func isFileName(_ text: [UInt8]) -> Bool {
        [".jwt", ".txt", ".token", ".json", ".jws"].contains { text.reversed().starts(with: $0.utf8.reversed()) }
    }

    static func isDash(_ text: [UInt8]) -> Bool { text.elementsEqual("-".utf8) }

    /// Reads until the end or `limit`; nil, or the error number.
    private static func read(_ descriptor: Int32, upTo limit: Int, into bytes: inout [UInt8]) -> Int32? {
        var chunk = [UInt8](repeating: 0, count: 65536)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
            if count > 0 {
                bytes += chunk[..<count]
            } else if count == 0 {
                return nil
            } else if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// Whether the key file is the pipe or terminal on standard input, which cannot give the token as well.
    static func isStandardInput(_ path: [UInt8]) -> Bool {
        if isDash(path) { return true }
        var file = stat()
        var input = stat()
        guard stat(cString(path), &file) == 0, fstat(STDIN_FILENO, &input) == 0, file.st_mode & S_IFMT != S_IFREG else {
            return false
        }
        return file.st_dev == input.st_dev && file.st_ino == input.st_ino
    }

    /// Whether there is anything called `path`, and it is no regular file.
    static func isSpecial(_ path: [UInt8]) -> Bool {
        var file = stat()
        return isDash(path) || stat(cString(path), &file) == 0 && file.st_mode & S_IFMT != S_IFREG
    }

    static func exists(_ path: [UInt8]) -> Bool { access(cString(path), F_OK) == 0 }

    private static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
}
