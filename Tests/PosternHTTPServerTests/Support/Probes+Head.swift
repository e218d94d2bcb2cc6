extension Probes {
    static let requestLines = [
        ("GET /", "400 request_line_malformed"), ("GET", "400 request_line_malformed"),
        ("GET  / HTTP/1.1", "400 request_line_malformed"), ("GET /  HTTP/1.1", "400 request_line_malformed"),
        ("GET / x HTTP/1.1", "400 request_line_malformed"), ("GET\t/ HTTP/1.1", "400 request_line_malformed"),
        ("GET /\tx HTTP/1.1", "400 request_line_malformed"), (" GET / HTTP/1.1", "400 method_malformed"),
        ("G(T / HTTP/1.1", "400 method_malformed"), ("G\u{E9}T / HTTP/1.1", "400 method_malformed"),
        ("GET: / HTTP/1.1", "400 method_malformed"), ("get / HTTP/1.1", "501 method_unknown"),
        ("Get / HTTP/1.1", "501 method_unknown"), ("GET1 / HTTP/1.1", "501 method_unknown"),
        ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA / HTTP/1.1", "501 method_unknown"),
        ("CONNECT a:80 HTTP/1.1", "501 method_unknown"), ("CONNECT / HTTP/1.1", "501 method_unknown"),
        ("PROPFIND / HTTP/1.1", "200 PROPFIND /"), ("DELETE /a HTTP/1.1", "200 DELETE /a"),
        ("VERSION-CONTROL / HTTP/1.1", "200 VERSION-CONTROL /"),
    ].map { Probe("line \"\($0)\"", "\($0)\r\nHost: a\r\n\r\n", $1) }

    static let targets = [
        ("GET", "/a?b=c", "200 GET /a?b=c"), ("GET", "/?", "200 GET /?"), ("GET", "/a%00b", "200 GET /a%00b"),
        ("GET", "/../x", "200 GET /../x"), ("GET", "//b/c", "200 GET //b/c"), ("GET", "/a?b?c", "200 GET /a?b?c"),
        ("GET", "/a#b", "400 target_malformed"), ("GET", "/\u{E9}", "400 target_malformed"),
        ("GET", "a", "400 target_malformed"), ("GET", "a:80", "400 target_malformed"),
        ("GET", "?a", "400 target_malformed"), ("GET", "*", "400 target_malformed"), ("OPTIONS", "*", "204"),
        ("OPTIONS", "*/a", "400 target_malformed"), ("OPTIONS", "/a", "200 OPTIONS /a"),
        ("GET", "http://a/b?c", "200 GET /b?c"), ("GET", "HTTPS://A/b", "200 GET /b"),
        ("GET", "http://a", "400 target_malformed"), ("GET", "http://a?b", "400 target_malformed"),
        ("GET", "ftp://a/b", "400 target_malformed"), ("GET", "http:/a/b", "400 target_malformed"),
        ("GET", "http:///b", "400 host_malformed"), ("GET", "http://u@a/b", "400 host_malformed"),
        ("GET", "http://b/b", "400 host_differs"), ("GET", "http://a:80/b", "400 host_differs"),
    ].map { Probe("target \"\($1)\" of \($0)", "\($0) \($1) HTTP/1.1\r\nHost: a\r\n\r\n", $2) }

    static let versions =
        [
            ("HTTP/2.0", "505 version_unsupported"), ("HTTP/3.0", "505 version_unsupported"),
            ("HTTP/1.2", "505 version_unsupported"), ("HTTP/1.9", "505 version_unsupported"),
            ("HTTP/0.9", "505 version_unsupported"), ("HTTP/9.9", "505 version_unsupported"),
            ("HTTP/1.10", "400 version_malformed"), ("HTTP/01.1", "400 version_malformed"),
            ("HTTP/11.1", "400 version_malformed"), ("HTTP/1,1", "400 version_malformed"),
            ("HTTP/1.x", "400 version_malformed"), ("HTTP/1", "400 version_malformed"),
            ("HTTP/ 1.1", "400 version_malformed"), ("http/1.1", "400 version_malformed"),
            ("HTTPS/1.1", "400 version_malformed"), ("HTTP/1.1 ", "400 version_malformed"),
            ("HTTP/4294967297.1", "400 version_malformed"),
        ].map { Probe("version \"\($0)\"", "GET / \($0)\r\nHost: a\r\n\r\n", $1) } + [
            Probe("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 version_unsupported"),
            Probe("1.0 without a host", "GET / HTTP/1.0\r\n\r\n\(next)", "200 GET /"),
            Probe("1.0 that wants to stay", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n\(next)", "200 GET /"),
            Probe(
                "1.0 that expects", "POST /p HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nh",
                "200 POST /p h"),
        ]

    static let fields =
        [
            ("X : y", "400 space_before_colon"), ("X\t: y", "400 space_before_colon"),
            (": y", "400 field_name_malformed"),
            ("X", "400 field_name_malformed"), ("X Y: z", "400 space_before_colon"),
            ("X(Y): z", "400 field_name_malformed"),
            ("X\u{E9}: y", "400 field_name_malformed"), ("\"X\": y", "400 field_name_malformed"),
            ("X@Y: z", "400 field_name_malformed"), ("X:", "200 GET /"), ("X:y", "200 GET /"), ("X: y: z", "200 GET /"),
            ("!#$%&'*+-.^_`|~: y", "200 GET /"), ("Expect: 200-ok", "417 expectation_unknown"),
            ("Expect:", "417 expectation_unknown"), ("Connection: keep-alive", "200 GET /"),
        ].map { Probe("field \"\($0)\"", "\(get)\($0)\r\n\r\n", $1) } + [
            Probe("close", "\(get)Connection: close\r\n\r\n\(next)", "200 GET /"),
            Probe("close among others", "\(get)Connection: keep-alive, CLOSE ,x\r\n\r\n\(next)", "200 GET /"),
            Probe("close as a part of a word", "\(get)Connection: closed\r\n\r\n\(get)\r\n", "200 GET /", "200 GET /"),
        ]

    static let hosts =
        [
            ("a b", false), ("a,b", false), ("", false), ("a/b", false), ("u@a", false), ("a:", false), ("a:x", false),
            ("a:65536", false), ("a:123456", false), ("a:80:80", false), (":80", false), ("[::1", false), ("[]", false),
            ("[::1]x", false), ("[::g]", false), ("::1", false), ("a%20b", false), ("a\u{E9}", false), ("a@", false),
            ("a[", false), ("`", false), ("{", false),
            ("a:65535", true), ("a:0", true), ("[::1]:8080", true), ("[::ffff:1.2.3.4]", true), ("127.0.0.1:80", true),
            ("a_b-c.d~e.example", true), ("LOCALHOST", true),
        ].map {
            Probe("host \"\($0)\"", "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n", $1 ? "200 GET /" : "400 host_malformed")
        } + [
            Probe("no host", "GET / HTTP/1.1\r\nX: y\r\n\r\n\(next)", "400 host_missing"),
            Probe("two hosts", "\(get)Host: b\r\n\r\n\(next)", "400 host_repeated"),
            Probe("the same host twice", "\(get)host: a\r\n\r\n", "400 host_repeated"),
            Probe("two hosts in 1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", "400 host_repeated"),
            Probe("a malformed host in 1.0", "GET / HTTP/1.0\r\nHost: a b\r\n\r\n", "400 host_malformed"),
        ]

    /// Against `ServerLimits.probes`.
    static let limits = [
        Probe("the longest request line", "GET /\(fill(50)) HTTP/1.1\r\nHost: a\r\n\r\n", "200 GET /\(fill(50))"),
        Probe("a request line too long", "GET /\(fill(51)) HTTP/1.1\r\nHost: a\r\n\r\n", "414 request_line_too_long"),
        Probe("a request line without end", "GET /\(fill(500))", "414 request_line_too_long"),
        Probe("the longest header", "\(get)X: \(fill(498))\r\n\r\n", "200 GET /"),
        Probe("a header too long", "\(get)X: \(fill(499))\r\n\r\n", "431 header_too_large"),
        Probe("a header without end", "\(get)X: \(fill(2_000))", "431 header_too_large"),
        Probe("as many fields as fit", "\(get)\(String(repeating: "X: y\r\n", count: 7))\r\n", "200 GET /"),
        Probe("too many fields", "\(get)\(String(repeating: "X: y\r\n", count: 8))\r\n", "431 too_many_fields"),
        Probe("the largest body", "\(post)Content-Length: 64\r\n\r\n\(fill(64))", "200 POST /p \(fill(64))"),
        Probe("a body too large", "\(post)Content-Length: 65\r\n\r\n\(fill(65))", "413 body_too_large"),
        Probe(
            "the largest body in chunks", "\(chunked)20\r\n\(fill(32))\r\n20\r\n\(fill(32))\r\n0\r\n\r\n",
            "200 POST /p \(fill(64))"),
        Probe(
            "a body too large in chunks", "\(chunked)20\r\n\(fill(32))\r\n21\r\n\(fill(33))\r\n0\r\n\r\n",
            "413 body_too_large"),
        Probe("a chunk too large", "\(chunked)7fffffffffffffff\r\nhello", "413 body_too_large"),
        Probe("chunks whose sum overflows", "\(chunked)1\r\nh\r\n7fffffffffffffff\r\nhello", "413 body_too_large"),
        Probe(
            "a body too large that is expected", "\(post)Expect: 100-continue\r\nContent-Length: 65\r\n\r\n",
            "413 body_too_large"),
    ]

    static let good = [
        Probe("one request", "\(get)\r\n", "200 GET /"),
        Probe(
            "three requests at once", "\(get)\r\n\(post)Content-Length: 1\r\n\r\nh\(get)\r\n", "200 GET /",
            "200 POST /p h", "200 GET /"),
        Probe("a good and a bad one", "\(get)\r\n\(get)X\r\n\r\n\(next)", "200 GET /", "400 field_name_malformed"),
        Probe("a body that came unasked", "\(post)Expect: 100-Continue\r\nContent-Length: 1\r\n\r\nh", "200 POST /p h"),
    ]

    static func fill(_ count: Int) -> String { String(repeating: "a", count: count) }
}
