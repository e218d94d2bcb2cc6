/// The probes by what they are about. `next` is the request that must not be answered when it is hidden in another.
enum Probes {
    static let all =
        smuggling + lengths + chunks + chunkSizes + lines + requestLines + targets + versions + fields + hosts + limits
        + good

    static let next = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n"
    static let post = "POST /p HTTP/1.1\r\nHost: a\r\n"

    static let smuggling = [
        Probe(
            "a length beside chunks", "\(post)Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(next)",
            "400 content_length_beside_transfer_encoding"),
        Probe(
            "chunks beside a length", "\(post)Transfer-Encoding: chunked\r\nContent-Length: 40\r\n\r\n0\r\n\r\n\(next)",
            "400 content_length_beside_transfer_encoding"),
        Probe(
            "two lengths that differ", "\(post)Content-Length: 0\r\nContent-Length: 35\r\n\r\n\(next)",
            "400 content_length_repeated"),
        Probe(
            "a space before the colon of chunks",
            "\(post)Content-Length: 5\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n\(next)", "400 space_before_colon"),
        Probe(
            "an unknown coding", "\(post)Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n\(next)",
            "400 transfer_encoding_malformed"),
        Probe(
            "two lines of codings",
            "\(post)Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n\(next)",
            "400 transfer_encoding_repeated"),
        Probe(
            "the same coding in two lines",
            "\(post)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(next)",
            "400 transfer_encoding_repeated"),
        Probe(
            "a folded coding", "\(post)Content-Length: 5\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n\(next)",
            "400 transfer_encoding_malformed"),
        Probe("a request in a bare line feed", "\(get)X: y\n\n\(next)", "400 bare_line_feed"),
    ]

    static let lengths =
        [
            ("+5", "malformed"), ("-0", "malformed"), ("-5", "malformed"), ("05", "malformed"), ("5 5", "malformed"),
            ("5, 5", "malformed"), ("5,6", "malformed"), ("0x5", "malformed"), ("5.0", "malformed"), ("", "malformed"),
            ("５", "malformed"), ("1e1", "malformed"), ("18446744073709551616", "overflow"),
            ("9223372036854775808", "overflow"),
            ("99999999999999999999999999999999999999", "overflow"),
        ].map {
            Probe("length \"\($0)\"", "\(post)Content-Length: \($0)\r\n\r\nhello\(next)", "400 content_length_\($1)")
        } + [
            Probe(
                "a length with a tab inside", "\(post)Content-Length: 5\t5\r\n\r\nhello\(next)",
                "400 content_length_malformed"),
            Probe(
                "the same length twice", "\(post)Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
                "400 content_length_repeated"),
            Probe(
                "the largest length there is", "\(post)Content-Length: 9223372036854775807\r\n\r\n",
                "413 body_too_large"),
            Probe("blanks around a length", "\(post)Content-Length: \t 5\t \r\n\r\nhello", "200 POST /p hello"),
            Probe("a length of nothing", "\(post)Content-Length: 0\r\n\r\n\(get)\r\n", "200 POST /p", "200 GET /"),
            Probe("less than the length", "\(post)Content-Length: 5\r\n\r\nhell", "400 cut_short"),
            Probe(
                "more than the length", "\(post)Content-Length: 5\r\n\r\nhello\(get)\r\n", "200 POST /p hello",
                "200 GET /"),
            Probe("a body that GET brings", "\(get)Content-Length: 5\r\n\r\nhello", "200 GET / hello"),
            Probe("a body without any length", "\(post)\r\n", "200 POST /p"),
        ]

    static let chunked = "\(post)Transfer-Encoding: chunked\r\n\r\n"

    static let chunks = [
        Probe("one chunk", "\(chunked)5\r\nhello\r\n0\r\n\r\n\(get)\r\n", "200 POST /p hello", "200 GET /"),
        Probe("several chunks", "\(chunked)1\r\nh\r\n00004\r\nello\r\n000\r\n\r\n", "200 POST /p hello"),
        Probe("no chunk", "\(chunked)0\r\n\r\n", "200 POST /p"),
        Probe("a size in capitals", "\(chunked)A\r\n0123456789\r\n0\r\n\r\n", "200 POST /p 0123456789"),
        Probe("chunked in capitals", "\(post)Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n", "200 POST /p"),
        Probe("an extension", "\(chunked)5;a=\"b\";c\r\nhello\r\n0;d\r\n\r\n", "200 POST /p hello"),
        Probe(
            "trailers", "\(chunked)5\r\nhello\r\n0\r\nX-Sum: 1\r\nX-Other: 2\r\n\r\n\(get)\r\n", "200 POST /p hello",
            "200 GET /"),
        Probe(
            "gzip before chunks", "\(post)Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "501 transfer_encoding_unknown"),
        Probe(
            "a comma before chunks", "\(post)Transfer-Encoding: , chunked\r\n\r\n0\r\n\r\n",
            "501 transfer_encoding_unknown"),
        Probe(
            "chunks in quotation marks", "\(post)Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
            "400 transfer_encoding_malformed"),
        Probe(
            "chunks twice", "\(post)Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
            "400 transfer_encoding_malformed"),
        Probe(
            "chunks not at the end", "\(post)Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
            "400 transfer_encoding_malformed"),
        Probe("no coding", "\(post)Transfer-Encoding:\r\n\r\n0\r\n\r\n", "400 transfer_encoding_malformed"),
        Probe(
            "chunks with a parameter", "\(post)Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n",
            "400 transfer_encoding_malformed"),
        Probe(
            "identity", "\(post)Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello",
            "400 transfer_encoding_malformed"),
        Probe(
            "chunks in 1.0", "POST /p HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "400 transfer_encoding_in_old_version"),
        Probe("the end of a chunk missing", "\(chunked)5\r\nhello0\r\n\r\n\(next)", "400 chunk_end_missing"),
        Probe("a longer chunk than said", "\(chunked)4\r\nhello\r\n0\r\n\r\n\(next)", "400 chunk_end_missing"),
        Probe("a shorter chunk than said", "\(chunked)6\r\nhello\r\n0\r\n\r\n\(next)", "400 chunk_end_missing"),
        Probe("other bytes where a chunk ends", "\(chunked)5\r\nhelloXX0\r\n\r\n", "400 chunk_end_missing"),
        Probe("a bare line feed after a chunk", "\(chunked)5\r\nhello\n0\r\n\r\n", "400 chunk_end_missing"),
        Probe(
            "a length in the trailers", "\(chunked)0\r\nContent-Length: 5\r\n\r\n\(get)\r\n", "400 trailer_forbidden"),
        Probe("a host in the trailers", "\(chunked)0\r\nHOST: b\r\n\r\n", "400 trailer_forbidden"),
        Probe("a folded trailer", "\(chunked)0\r\nX: y\r\n z\r\n\r\n", "400 obsolete_fold"),
        Probe("a trailer that is none", "\(chunked)0\r\nX\r\n\r\n", "400 field_name_malformed"),
        Probe("no end of the trailers", "\(chunked)0\r\n", "400 cut_short"),
        Probe(
            "too many trailers", "\(chunked)0\r\n\(String(repeating: "X: y\r\n", count: 9))\r\n",
            "431 trailers_too_large"),
        Probe(
            "as many trailers as fit", "\(chunked)0\r\n\(String(repeating: "X: y\r\n", count: 8))\r\n", "200 POST /p"),
        Probe(
            "trailers too long", "\(chunked)0\r\nX: \(String(repeating: "y", count: 600))\r\n\r\n",
            "431 trailers_too_large"),
    ]

    static let chunkSizes =
        [
            ("", "malformed"), ("0x5", "malformed"), ("+5", "malformed"), ("-5", "malformed"), (" 5", "malformed"),
            ("5 ", "malformed"), ("5 ;a", "malformed"), ("g", "malformed"), ("5,5", "malformed"),
            ("ffffffffffffffff", "overflow"),
            ("8000000000000000", "overflow"), ("00000000000000005", "overflow"), ("10000000000000005", "overflow"),
        ].map { Probe("chunk size \"\($0)\"", "\(chunked)\($0)\r\nhello\r\n0\r\n\r\n\(next)", "400 chunk_size_\($1)") }
        + [
            Probe(
                "a last chunk whose size overflows to nothing", "\(chunked)10000000000000000\r\n\r\n\(next)",
                "400 chunk_size_overflow"),
            Probe("a chunk's size ended by a line feed", "\(chunked)5\nhello\r\n0\r\n\r\n", "400 bare_line_feed"),
            Probe("a NUL in an extension", "\(chunked)5;\0\r\nhello\r\n0\r\n\r\n", "400 control_byte"),
            Probe("a bare CR in an extension", "\(chunked)5;\rhello\r\nhello\r\n0\r\n\r\n", "400 bare_carriage_return"),
            Probe(
                "an extension too long", "\(chunked)5;\(String(repeating: "a", count: 255))\r\nhello\r\n0\r\n\r\n",
                "400 chunk_line_too_long"),
            Probe(
                "an extension just not too long",
                "\(chunked)5;\(String(repeating: "a", count: 254))\r\nhello\r\n0\r\n\r\n", "200 POST /p hello"),
            Probe(
                "extensions too long together",
                "\(chunked)\(String(repeating: "1;\(String(repeating: "a", count: 199))\r\nh\r\n", count: 3))0\r\n\r\n",
                "400 chunk_extensions_too_large"),
        ]

    static let lines = [
        Probe("a bare line feed after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", "400 bare_line_feed"),
        Probe("a bare line feed after a field", "\(get)X: y\nZ: z\r\n\r\n", "400 bare_line_feed"),
        Probe("a bare line feed at the end", "\(get)\n", "400 bare_line_feed"),
        Probe("a bare CR in a value", "\(get)X: y\rZ: z\r\n\r\n", "400 bare_carriage_return"),
        Probe("a bare CR in a target", "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", "400 bare_carriage_return"),
        Probe("two CR at the end of a line", "\(get)X: y\r\r\n\r\n", "400 bare_carriage_return"),
        Probe("NUL in a value", "\(get)X: y\0z\r\n\r\n", "400 control_byte"),
        Probe("NUL in a name", "\(get)X\0: y\r\n\r\n", "400 control_byte"),
        Probe("NUL in a target", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", "400 control_byte"),
        Probe("NUL in a host", "GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", "400 control_byte"),
        Probe("a vertical tab before a length", "\(post)Content-Length: \u{0B}5\r\n\r\nhello", "400 control_byte"),
        Probe("DEL in a value", "\(get)X: \u{7F}\r\n\r\n", "400 control_byte"),
        Probe("an escape in a value", "\(get)X: \u{1B}[0m\r\n\r\n", "400 control_byte"),
        Probe("a folded field", "\(get)X: y\r\n z\r\n\r\n", "400 obsolete_fold"),
        Probe("a field folded by a tab", "\(get)X: y\r\n\tz\r\n\r\n", "400 obsolete_fold"),
        Probe("a fold before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "400 obsolete_fold"),
        Probe("one empty line before", "\r\n\(get)\r\n", "200 GET /"),
        Probe("two empty lines before", "\r\n\r\n\(get)\r\n", "400 empty_lines"),
        Probe("an empty line between requests", "\(get)\r\n\r\n\(get)\r\n", "200 GET /", "200 GET /"),
        Probe(
            "bytes that are no text", Array(get.utf8) + [0x58, 0x3A, 0xFF, 0x80, 13, 10, 13, 10], answers: ["200 GET /"]
        ),
        Probe(
            "the hello of TLS", [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3, 0x0A, 0x0D, 0x0A, 0x0D, 0x0A],
            answers: ["400 bare_line_feed"]),
        Probe("nothing", ""),
        Probe("half a request line", "GET /", "400 cut_short"),
        Probe("half a head", get, "400 cut_short"),
    ]
}
