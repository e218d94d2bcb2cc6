import Foundation
import Glibc
import PosternBase

// What the clients of the soak do, and the answers that they must get.

extension SoakClient {
    static let kinds = [
        Kind(name: "good", pause: 100_000, round: good), Kind(name: "lists", pause: 300_000, round: lists),
        Kind(name: "refused", pause: 150_000, round: refused), Kind(name: "mistaken", pause: 150_000, round: mistaken),
        Kind(name: "malformed", pause: 150_000, round: malformed),
        Kind(name: "oversize", pause: 200_000, round: oversize), Kind(name: "gone", pause: 150_000, round: gone),
        Kind(name: "slow header", pause: 0, round: { try slow($0, head: "GET /health/live HTTP/1.1\r\nHost: ") }),
        Kind(
            name: "slow body", pause: 0,
            round: { try slow($0, head: post($0.connect()) + "Content-Length: 60000\r\n\r\n") }),
        Kind(name: "stranger", pause: 150_000, round: stranger),
    ]

    /// The head of a request that is let in, but for the length of its body.
    private static func post(_ client: SocketClient) -> String {
        let fields = ["Host: a", "Content-Type: application/json"] + client.fields
        return "POST /v1/verify HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined()
    }

    /// Those who are turned away by their head, whatever they send behind it.
    private static func stranger(_ place: SoakPlace) throws {
        let client = try place.connect()
        let body = String(repeating: "x", count: 30_000)
        for _ in 0..<3 {
            try client.write("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\n\r\n")
            try demand(client.reply().status == 404, "a path that is not there")
            try client.write(body)
        }
        try client.write("POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7530\r\n\(body)\r\n")
        try demand(client.reply().status == 404, "a path that is not there, in chunks")
    }

    private static func good(_ place: SoakPlace) throws {
        let client = try place.connect()
        for _ in 0..<5 {
            let nonce = try client.nonce()
            let token = try DaemonIssuer.token(nonce)
            try demand(client.verify(token, nonce, #","consume":false"#), "accepted")
            try demand(client.verify(token, nonce, #","explain":true"#), "accepted")
            try demand(client.verify(token, nonce), "nonce_used")
        }
        for path in ["/v1/keys", "/health/ready", "/health/live"] {
            try demand(client.ask("GET", path).status == 200, path)
        }
    }

    private static func lists(_ place: SoakPlace) throws {
        let client = try place.connect()
        let nonce = try client.nonce()
        let token = try DaemonIssuer.token(nonce)
        let entry = #"{"token":"\#(token)","nonce":"\#(nonce)"}"#
        let body = #"{"tokens":[{"token":"x"},\#(Array(repeating: entry, count: 9).joined(separator: ","))]}"#
        let verdicts = try client.ask("POST", "/v1/verify", body).json["verdicts"] as? [[String: Any]] ?? []
        let words = verdicts.map { $0["code"] as? String ?? $0["verdict"] as? String ?? "" }
        let expected = ["token_malformed", "accepted"] + Array(repeating: "nonce_used", count: 8)
        try demand(words == expected, "\(words)")
    }

    private static func refused(_ place: SoakPlace) throws {
        let client = try place.connect()
        let nonce = try client.nonce()
        let token = try DaemonIssuer.token(nonce)
        let forged = String(token.dropLast(8)) + "AAAAAAAA"
        let old = try DaemonIssuer.token(nonce, ["iat": .integer(1_600_000_000), "exp": .integer(1_600_000_600)])
        let other = try DaemonIssuer.token(nonce, ["aud": .string("com.example.other")])
        try demand(client.verify(forged, nonce), "signature_invalid")
        try demand(client.verify(old, nonce), "token_expired")
        try demand(client.verify(other, nonce), "audience_mismatch")
        try demand(client.verify(token, "another"), "nonce_unknown")
        try demand(client.verify(token + String(repeating: "A", count: 20_000), nonce), "token_too_large")
        try demand(client.verify(token, nonce), "accepted")
    }

    private static func mistaken(_ place: SoakPlace) throws {
        let client = try place.connect()
        let calls = [
            ("POST", "/v1/verify", "{", "body_malformed"), ("POST", "/v1/verify", "{}", "member_missing"),
            ("POST", "/v1/verify", #"{"token":1}"#, "member_invalid"),
            ("POST", "/v1/nonces", #"{"x":1}"#, "member_unknown"), ("GET", "/nothing", "", "path_unknown"),
            ("PUT", "/v1/keys", "", "method_not_allowed"), ("GET", "/v1/keys?a", "", "query_unexpected"),
        ]
        for (method, path, body, code) in calls { try demand(client.ask(method, path, body), code) }
    }

    private static func malformed(_ place: SoakPlace) throws {
        let heads = [
            "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
            "\u{16}\u{3}\u{1}\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
            try post(place.connect()) + "Transfer-Encoding: chunked\r\n\r\nz\r\n",
        ]
        for head in heads {
            let client = try place.connect()
            try client.write(head + "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
            let reply = try client.reply()
            try demand([400, 501, 505].contains(reply.status), "\(head.debugDescription): \(reply.head)")
            try demand(client.hasEnded(), "\(head.debugDescription): something after the refusal")
        }
    }

    private static func oversize(_ place: SoakPlace) throws {
        let piece = String(repeating: "x", count: 40_000)
        let chunk = "9c40\r\n\(piece)\r\n"
        let post = try post(place.connect())
        let requests = [
            (post + "Content-Length: 10485760\r\n\r\n" + piece, 413),
            (post + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk, 413),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(piece)\r\n\r\n", 431), ("GET /\(piece) HTTP/1.1\r\n", 414),
        ]
        for (request, status) in requests {
            let client = try place.connect()
            try client.write(request)
            let reply = try client.reply()
            try demand(reply.status == status, "\(status) expected: \(reply.head)")
        }
    }

    /// Those who leave in the middle, before they have been answered, or before they have said anything.
    private static func gone(_ place: SoakPlace) throws {
        let whole = "GET /v1/keys HTTP/1.1\r\nHost: a\r\n\r\n"
        for text in ["", "GET /v1", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{", whole + whole] {
            try place.connect().write(text)
        }
    }

    /// A byte now and then does not prolong the time that a client has.
    private static func slow(_ place: SoakPlace, head: String) throws {
        let client = try place.connect()
        try client.write(head)
        var isAnswered = false
        for _ in 0..<100 where !isAnswered {
            isAnswered = client.hasAnswer(within: 500)
            if !isAnswered { try client.write("x") }
        }
        try demand(isAnswered, "a slow client is served for ever")
        try demand(client.reply().status == 408, "another answer than 408 for a slow client")
    }
}
