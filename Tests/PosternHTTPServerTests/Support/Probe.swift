import PosternHTTPServer
import Testing

/// Bytes sent to the server, and the answers that they get: so many and no more.
struct Probe: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// Of each answer the status, and for one with status 200 what the echo says in its first line and body.
    let answers: [String]

    init(_ name: String, _ text: String, _ answers: String...) {
        self.init(name, Array(text.utf8), answers: answers)
    }

    init(_ name: String, _ bytes: [UInt8], answers: [String]) {
        self.name = name
        self.bytes = bytes
        self.answers = answers
    }

    var testDescription: String { name }

    /// The answers that the reader alone would lead to, the bytes fed in pieces of at most that size.
    func outcome(without rules: [RequestRefusal] = [], pieces: Int = .max, limits: ServerLimits = .probes) -> [String] {
        var reader = RequestReader(limits, testOnlyDisabled: rules)
        var found: [String] = []
        var start = 0
        while start < bytes.count {
            let piece = Array(bytes[start..<min(bytes.count, start + min(pieces, bytes.count))])
            start += piece.count
            var offset = 0
            reading: while true {
                switch reader.read(piece.span, &offset) {
                case .needsMore: break reading
                case .head:
                    let waits = reader.readHead.expectsContinue && offset == piece.count && start == bytes.count
                    if waits { found.append("100") }
                case .request:
                    guard let request = reader.takeRequest() else { return found + ["no request"] }
                    let query = request.query.map { "?\($0)" } ?? ""
                    let text = request.path == "*" ? "204" : "200 \(request.method) \(request.path)\(query)"
                    let body = request.body.isEmpty ? "" : " " + String(decoding: request.body, as: UTF8.self)
                    found.append(text + body)
                    if !request.keepsAlive { return found }
                case .refused(let reason):
                    found.append("\(reason.status) \(reason.rawValue)")
                    return found
                }
            }
        }
        if reader.phase != .idle { found.append("400 cut_short") }
        return found
    }
}

extension ServerLimits {
    /// Small enough to be exceeded by a probe of a few bytes.
    static var probes: ServerLimits {
        var limits = ServerLimits()
        limits.requestLineBytes = 64
        limits.headerBytes = 512
        limits.headerCount = 8
        limits.bodyBytes = 64
        return limits
    }
}

extension Answer {
    /// In the words of a probe.
    var summary: String {
        if status == 200 {
            let parts = body.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            let rest = parts.count > 1 && !parts[1].isEmpty ? " \(parts[1])" : ""
            return "200 \(parts.first ?? "")\(rest)"
        }
        let code = body.split(separator: "\"").last { $0 != "}" } ?? ""
        return code.isEmpty ? "\(status)" : "\(status) \(code)"
    }
}
