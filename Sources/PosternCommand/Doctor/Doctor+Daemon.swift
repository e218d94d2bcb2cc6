internal import Glibc
internal import PosternBase

/// A daemon that runs, asked how it is.
extension Doctor {
    func daemon(at place: LocalPlace?, subject: String) -> [Finding] {
        guard let place else { return [Finding(.daemonUnseen, subject, "not asked")] }
        return [daemon(place, subject)]
    }

    private func daemon(_ place: LocalPlace, _ subject: String) -> Finding {
        let ready = LocalQuestion.ask(place, "/health/ready")
        // The door to readiness may be shut here; liveness is behind none.
        guard case .answer(let answer) = ready, answer.isProblem("path_unknown") else {
            return Self.finding(ready, subject)
        }
        let live = LocalQuestion.ask(place, "/health/live")
        guard case .answer(let answer) = live, answer.isHealth, answer.status == 200 else {
            return Self.finding(live, subject)
        }
        return Finding(.daemon, subject, "alive; whether it is ready is not told here (doors)")
    }

    static func finding(_ result: LocalQuestion.Result, _ subject: String) -> Finding {
        switch result {
        case .nobody: return Finding(.daemonNone, subject, "nobody listens")
        case .forbidden: return Finding(.daemonForbidden, subject, "Somebody listens, and this user may not connect.")
        case .silent: return Finding(.daemonSilent, subject, "Somebody listens and does not answer within 3 seconds.")
        case .failed(let number):
            return Finding(
                .daemonUnseen, subject, "It cannot be asked: \(StandardStreams.explanation(of: number)).")
        case .answer(let answer): return finding(answer, subject)
        }
    }

    private static func finding(_ answer: LocalQuestion.Answer, _ subject: String) -> Finding {
        if answer.isProblem("peer_not_allowed") {
            return Finding(.daemonForbidden, subject, "The daemon is there and lets other users in only (allow_users).")
        }
        guard answer.isHealth, let root = (try? JSONDocument(answer.body))?.root, let status = root["status"]?.string
        else { return Finding(.daemonForeign, subject, "Another program answers there.") }
        let outputs = outputs(root).joined(separator: "; ")
        switch (answer.status, status) {
        case (200, "pass"): return Finding(.daemon, subject, "ready")
        case (200, "warn"): return Finding(.daemonWarns, subject, outputs.isEmpty ? "It warns." : outputs)
        default: return Finding(.daemonNotReady, subject, outputs.isEmpty ? "It is not ready." : outputs)
        }
    }

    /// What stands beside each check that is not well.
    private static func outputs(_ root: JSONValue) -> [String] {
        guard let checks = root["checks"], checks.kind == .object else { return [] }
        return checks.namedMembers.flatMap { name, entries in
            (entries.elements ?? []).compactMap { entry in
                entry["output"]?.string.map { "\(name.string ?? ""): \($0)" }
            }
        }
    }
}

// MARK: - Sockets that are named by hand

extension Doctor {
    /// Who names a socket wants to be told that nobody is there, and each is asked once: `known` holds what was found of those
    /// before it and of the settings.
    func named(_ path: String, _ known: [Finding]) -> [Finding] {
        let said = known.filter { $0.subject.map { LocalPath.isSame($0, path) } ?? false }.map(\.diagnosis)
        guard !said.contains(where: { $0 == .socketNoSocket || $0.rawValue.hasPrefix(Diagnosis.daemon.rawValue) })
        else {
            return []
        }
        if let state = FileState(path, follows: true), !state.isSocket {
            return [Finding(.socketNoSocket, path, "Something is there that is no socket.")]
        }
        let missing = Finding(.daemonMissing, path, "Nobody listens.")
        // The daemon's own, and left behind or not made yet.
        guard !said.contains(.socketNone), !said.contains(.socketStale) else { return [missing] }
        return daemon(at: .unix(path), subject: path).map { $0.diagnosis == .daemonNone ? missing : $0 }
    }
}
