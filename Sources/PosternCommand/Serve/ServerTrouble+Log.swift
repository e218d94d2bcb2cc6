internal import PosternBase
internal import PosternHTTPServer

extension ServerTrouble {
    /// Tells the operator.
    func log() {
        let members: [(StaticString, LogValue)] = [("listener", .number(listener)), ("count", .number(count))]
        switch kind {
        case .tooManyConnections: EventLog.write(.connectionsRefused, members)
        case .peerNotAllowed: EventLog.write(.peersRefused, members)
        case .acceptFailed(let number):
            let message = LogValue.text(StandardStreams.explanation(of: number), from: .system)
            EventLog.write(.acceptFailed, members + [("message", message)])
        }
    }
}
