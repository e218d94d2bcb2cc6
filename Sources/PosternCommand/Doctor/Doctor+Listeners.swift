internal import Glibc
internal import PosternBase
internal import PosternHTTPServer

/// Where callers connect: what lies there, and who answers.
extension Doctor {
    func listeners(_ settings: ServeSettings) -> [Finding] {
        settings.listeners.flatMap { listener in
            switch listener.place {
            case .unix(let path, let mode, let owner, let group):
                socket(path, UnixSocket(path: path, mode: mode, owner: owner, group: group))
            case .tcp(let address, let port): self.port(address, port)
            case .inherited(let place): [inherited(place)]
            }
        }
    }

    // MARK: - Unix sockets

    private func socket(_ path: String, _ wanted: UnixSocket) -> [Finding] {
        let folder = socketFolder(of: path)
        guard let state = FileState(path) else { return [folder, Finding(.socketNone, path, "nothing is there yet")] }
        guard state.isSocket else {
            return [folder, Finding(.socketNoSocket, path, "Something is there that is no socket.")]
        }
        let answer = daemon(at: .unix(path), subject: path)
        if answer.first?.diagnosis == .daemonNone {
            return [folder, Finding(.socketStale, path, "A socket is there and nobody listens (\(state.words)).")]
        }
        return [folder, Self.socket(path, state, wanted)] + answer
    }

    private static func socket(_ path: String, _ state: FileState, _ wanted: UnixSocket) -> Finding {
        if state.permissions & 0o002 != 0 {
            return Finding(.socketExposed, path, "Everybody may connect (\(state.words)).")
        }
        let isAsWanted =
            state.permissions == wanted.mode && wanted.owner ?? state.owner == state.owner
            && wanted.group ?? state.group == state.group
        guard !isAsWanted else { return Finding(.socket, path, state.words) }
        let owner = wanted.owner.map { ", user \($0)" } ?? ""
        let group = wanted.group.map { ", group \($0)" } ?? ""
        return Finding(
            .socketDiffers, path,
            "It has \(state.words); the settings say mode 0\(String(wanted.mode, radix: 8))\(owner)\(group).")
    }

    private func socketFolder(of socket: String) -> Finding {
        let path = FileState.folder(of: socket)
        guard let state = FileState(path, follows: true), state.isFolder else {
            return Finding(.socketFolderMissing, path, "There is no such folder.")
        }
        guard state.permissions & 0o002 == 0 else {
            return Finding(.socketFolderOpen, path, "Everybody may write there (\(state.words)).")
        }
        if let fault = SocketFolder.fault(above: socket) {
            return Finding(.socketFolderOpen, path, "The socket \(fault).")
        }
        let failure = surroundings.writeFailure(path)
        return failure == 0
            ? Finding(.socketFolder, path, state.words)
            : Finding(
                .socketFolderClosed, path,
                "User \(surroundings.user) cannot write there (\(state.words)): \(StandardStreams.explanation(of: failure))."
            )
    }

    // MARK: - TCP

    private func port(_ address: String, _ port: UInt16) -> [Finding] {
        let isIPv6 = address.utf8.contains(UInt8(ascii: ":"))
        let subject = isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
        // To be asked by, an address that stands for all is one of this machine.
        let target = address == "0.0.0.0" ? "127.0.0.1" : address == "::" ? "::1" : address
        guard let place = LocalPlace.tcp(target, port), LocalPlace.tcp(address, 0)?.canBeBound == true else {
            return [Finding(.portNoAddress, subject, "This machine has no such address.")]
        }
        if port != 0, surroundings.user != 0, Int(port) < surroundings.firstFreePort {
            return [
                Finding(
                    .portPrivileged, subject,
                    "User \(surroundings.user) may listen from port \(surroundings.firstFreePort) on only.")
            ]
        }
        guard port != 0 else { return [Finding(.port, subject, "the system chooses a port")] }
        return [Finding(.port, subject, "an address of this machine")]
            + daemon(at: place, subject: subject)
    }

    // MARK: - Sockets that are handed over

    private func inherited(_ index: Int) -> Finding {
        let variables = surroundings.variables
        let subject = "inherited \(index)"
        guard let count = variables["LISTEN_FDS"] else {
            return Finding(
                .inheritedElsewhere, subject,
                "The service manager hands it over when it starts the daemon; --socket PATH asks there.")
        }
        guard variables["LISTEN_PID"] == "\(surroundings.process)" else {
            return Finding(.inheritedForAnother, subject, "LISTEN_FDS is set, and LISTEN_PID names another process.")
        }
        guard let count = Int(count), index < count else {
            return Finding(.inheritedMissing, subject, "LISTEN_FDS is \(Excerpt.word(count)).")
        }
        var isListening: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let descriptor = Int32(clamping: 3 + index)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening == 1 else {
            return Finding(.inheritedMissing, subject, "Descriptor \(descriptor) is no socket that listens.")
        }
        return Finding(.inherited, subject, "descriptor \(descriptor) listens")
    }
}
