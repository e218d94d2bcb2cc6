internal import Glibc
internal import PosternBase

/// Files that the commands write.
enum OutputFile {
    /// Puts a new file in the place of `path`, whole or not at all; what is no regular file (a pipe, a terminal) is written.
    static func replace(_ path: [UInt8], _ bytes: [UInt8], named name: String) throws(CommandFailure) {
        guard !path.elementsEqual("-".utf8) else {
            throw .usage("\(name): standard output is for the answer; name a file")
        }
        if InputFile.isSpecial(path) {
            let descriptor =
                NamedPipe.isOne(cString(path))
                ? NamedPipe.openForWriting(cString(path), name) : open(cString(path), O_WRONLY | O_CLOEXEC | O_NOCTTY)
            return try write(bytes, to: descriptor, named: name)
        }
        // Of a link, what it points to is replaced; one that points to nothing is replaced itself.
        let target = resolved(path)
        var status = stat()
        let mode = stat(cString(target), &status) == 0 ? status.st_mode & 0o777 : 0o644
        let unfinished = target + Array(".new-\(Hex.encode(RandomSource.system.bytes(8)))".utf8)
        do throws(CommandFailure) {
            try create(unfinished, bytes, mode: mode, named: name)
            guard rename(cString(unfinished), cString(target)) == 0 else { throw unwritten(name, errno) }
        } catch {
            unlink(cString(unfinished))
            throw error
        }
    }

    /// Writes a file that must not be there yet.
    static func create(_ path: [UInt8], _ bytes: [UInt8], mode: mode_t, named name: String) throws(CommandFailure) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(cString(path), flags, mode)
        guard descriptor >= 0 else { throw unwritten(name, errno) }
        do throws(CommandFailure) {
            try write(bytes, to: descriptor, named: name)
        } catch {
            // Half a file would be taken for a whole one the next time.
            unlink(cString(path))
            throw error
        }
    }

    /// Whether both paths lead to one file, there already or still to be made.
    static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool { final(left) == final(right) }

    /// Where a file of that path is or would be made. Of a path whose folder is not there, the path itself.
    private static func final(_ path: [UInt8]) -> [UInt8] {
        if let real = real(path) { return real }
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { path[...$0] } ?? Array(".".utf8)[...]
        guard let real = real(Array(folder)) else { return path }
        return real + [UInt8(ascii: "/")] + path[(slash.map { $0 + 1 } ?? 0)...]
    }

    /// Closes `descriptor`; one below 0 is what `open` failed with.
    private static func write(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(CommandFailure) {
        guard descriptor >= 0 else { throw unwritten(name, errno) }
        var failure = StandardStreams.write(bytes, to: descriptor)
        // A pipe has nothing to wait for.
        if failure == nil, fsync(descriptor) != 0, ![EINVAL, EROFS, ENOTSUP].contains(errno) { failure = errno }
        if close(descriptor) != 0, failure == nil, errno != EINTR { failure = errno }
        if let failure { throw unwritten(name, failure) }
    }

    private static func unwritten(_ name: String, _ error: Int32) -> CommandFailure {
        .trouble("\(name) cannot be written: \(StandardStreams.explanation(of: error))")
    }

    private static func resolved(_ path: [UInt8]) -> [UInt8] { real(path) ?? path }

    private static func real(_ path: [UInt8]) -> [UInt8]? {
        guard let real = realpath(cString(path), nil) else { return nil }
        defer { free(real) }
        return RawArguments.bytes(of: real)
    }

    private static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
}
