internal import PosternBase
internal import PosternHTTPServer

extension ServerTrouble {
    /// Tells the operator.
    func log() {
        var members: [(String, JSONOutput)] = [
            ("listener", .integer(Int64(listener))), ("count", .integer(Int64(count))),
        ]
        switch kind {
        case .tooManyConnections: EventLog.write(.warning, "connections_refused", members)
        case .peerNotAllowed: EventLog.write(.warning, "peers_refused", members)
        case .acceptFailed(let number):
            members.append(("message", .string(StandardStreams.explanation(of: number))))
            EventLog.write(.error, "accept_failed", members)
        }
    }
}
