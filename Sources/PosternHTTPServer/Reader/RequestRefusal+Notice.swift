internal import PosternHTTP

extension RequestRefusal {
    /// The refusal as it is told to the client.
    func notice(_ limits: ServerLimits) -> HTTPNotice {
        .refused(
            .init(
                status: status,
                title: ResponseWriter.phrase(status),
                code: rawValue,
                detail: detail(limits),
                retryAfter: status == 429 ? 1 : nil
            )
        )
    }

    /// What is wrong, in English.
    private func detail(_ limits: ServerLimits) -> String {
        switch self {
        case .requestLineTooLong: "The request line is too long: send what is long in the body."
        case .requestLineMalformed: "The request line is not METHOD TARGET VERSION with one space between each."
        case .emptyLines: "More than one empty line stands before the request."
        case .methodMalformed: "The method is no token."
        case .methodUnknown: "The method is not one that is known here."
        case .targetMalformed:
            "The target is neither a path nor an http URL, or holds a character that must be encoded."
        case .versionMalformed: "The version is not HTTP/ with a digit, a dot and a digit."
        case .versionUnsupported: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        case .bareLineFeed: "A line ends with LF alone: end lines with CR LF."
        case .bareCarriageReturn: "A CR stands without its LF."
        case .controlByte: "A control character stands in the header."
        case .obsoleteFold: "A field goes on in the next line: write it in one."
        case .spaceBeforeColon: "A space stands between the name of a field and the colon."
        case .fieldNameMalformed: "The name of a field is no token, or its colon is missing."
        case .headerTooLarge: "The header fields have more bytes than are taken here."
        case .tooManyFields: "There are more header fields than are taken here."
        case .hostMissing: "HTTP/1.1 needs a Host field."
        case .hostRepeated: "The Host field stands there twice."
        case .hostMalformed: "The Host field is no host with or without a port."
        case .hostDiffers: "The URL in the request line names another host than the Host field."
        case .expectationUnknown: "The Expect field holds something else than 100-continue."
        case .lengthRepeated: "The Content-Length field stands there twice: send it once."
        case .lengthMalformed: "The Content-Length field is not digits alone."
        case .lengthOverflow: "The Content-Length field is beyond any number."
        case .lengthBesideCoding: "Content-Length and Transfer-Encoding both say where the body ends: send one of them."
        case .codingRepeated: "The Transfer-Encoding field stands there twice: send it once."
        case .codingMalformed: "In Transfer-Encoding chunked is not the last coding, or stands there twice."
        case .codingUnknown: "No transfer coding but chunked is known here."
        case .codingInOldVersion: "HTTP/1.0 has no Transfer-Encoding."
        case .bodyTooLarge:
            "The body has more than the \(limits.bodyBytes) bytes that are taken here (limits.body_bytes)."
        case .chunkSizeMalformed: "The size of a chunk is not hexadecimal digits."
        case .chunkSizeOverflow: "The size of a chunk is beyond any number."
        case .chunkLineTooLong: "The line before a chunk is too long."
        case .chunkExtensionsTooLarge: "The extensions of the chunks are too long together."
        case .chunkEndMissing: "No CR LF follows the bytes of a chunk."
        case .trailersTooLarge: "The fields behind the last chunk are too many or too long."
        case .trailerForbidden: "A field behind the last chunk belongs into the header."
        case .headerTimeout: "The header was not there in time."
        case .bodyTimeout: "The body was not there in time."
        case .cutShort: "The client stopped sending within the request."
        case .tooMuchBuffered:
            "Too many bytes of requests are kept at the moment, in all or of this peer: send it again later."
        case .tooManyConnections: "There are too many connections, in all or of this peer: connect again later."
        }
    }
}
