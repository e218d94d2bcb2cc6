package import Foundation

/// What `TestServer` is to do with a request.
package struct TestAnswer: @unchecked Sendable {
    /// How a connection ends: with TLS's own notice, without, or by a reset.
    package enum End: String, Sendable {
        case notify
        case cut
        case reset
    }

    /// One thing after another on the connection.
    package enum Step: Sendable {
        case send(Data)
        /// Without end, a piece each so many seconds; 0 for as fast as it goes.
        case `repeat`(Data, every: Double)
        /// Until `release` is called for the path.
        case hold
        case close(End)

        fileprivate var object: [String: Any] {
            switch self {
            case .send(let data): ["send": data.base64EncodedString()]
            case .repeat(let data, let seconds): ["repeat": data.base64EncodedString(), "every": seconds]
            case .hold: ["hold": true]
            case .close(let end): ["close": end.rawValue]
            }
        }
    }

    // @unchecked: what JSONSerialization takes, made here and never changed.
    let object: [String: Any]

    /// An answer with its Content-Length; with an `etag`, a request that names it gets 304.
    package static func answer(
        _ status: Int = 200,
        _ fields: [(String, String)] = [],
        body: String = "",
        etag: String? = nil
    ) -> TestAnswer {
        var object: [String: Any] = ["status": status, "fields": fields.map { [$0.0, $0.1] }, "body": body]
        if let etag { object["etag"] = etag }
        return TestAnswer(object: object)
    }

    /// So many zero bytes, packed by gzip to a thousandth of that; `isNamed` says whether Content-Encoding tells of it.
    package static func bomb(_ count: Int, isNamed: Bool) -> TestAnswer {
        TestAnswer(object: ["bomb": count, "fields": isNamed ? [["Content-Encoding", "gzip"]] : []])
    }

    package static func steps(_ steps: Step...) -> TestAnswer { TestAnswer(object: ["steps": steps.map(\.object)]) }

    /// These bytes and then the end of the connection.
    package static func raw(_ text: String, close: End = .notify) -> TestAnswer {
        .steps(.send(Data(text.utf8)), .close(close))
    }

    /// Held until released, then an answer.
    package static func held(body: String = "") -> TestAnswer {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return .steps(.hold, .send(Data((head + body).utf8)))
    }
}
